// The workflows that `linkform init` writes, read from the examples and the GitLab template, so that there is one copy of
// each. The build and the tests replace LINKFORM_CI_TEXTS in the source with them.

import { readFileSync } from "node:fs";

const textOf = (file) => readFileSync(new URL(`../${file}`, import.meta.url), "utf8");

/** JSON, because esbuild makes every chunk load an object. It inserts a string only where it is used. */
export const CI_TEXTS = JSON.stringify({
  workflow: textOf("examples/ci/github/linkform.yml"),
  pipeline: textOf("examples/ci/gitlab/.gitlab-ci.yml"),
  template: textOf("templates/linkform.yml"),
  // The pinned action of a release, which scripts/release.mjs sets: OWNER/REPOSITORY@HASH # v1.2.3. Other builds have none.
  action: process.env.LINKFORM_ACTION || null,
});
