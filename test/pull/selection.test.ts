// The selection of a pull by key. Fails if a plan of the new files is not searched for changes of the selected objects.

import { expect, it, onTestFinished } from "vitest";
import { readNamedKey } from "../../src/domain/named-key.ts";
import { selectRecords } from "../../src/pull/selection.ts";
import { loadWith, readWhole, settled } from "../support/account.ts";
import { link } from "../support/pulling.ts";
import { startSandbox } from "../support/sandbox.ts";

it("selects the same objects in every resolution of the account", async () => {
  const sandbox = await startSandbox({ rateLimit: 0, seed: { links: [link("a"), link("b")] } });
  onTestFinished(() => sandbox.close());
  const { project } = await loadWith(
    "links:\n  go.example.com/a2: { url: https://example.com/, renamed_from: a }\n  go.example.com/b: { url: https://example.com/ }\n",
  );
  const state = await readWhole(sandbox, project);
  const keys = [readNamedKey("go.example.com/a2")];
  const criteria = { keys, domains: [], spaces: [], aliases: [], accepts: null };
  const { wants, wantsGone } = selectRecords(criteria, settled(project, state));
  const again = settled(project, state);
  expect(again.live.filter(wants).map(({ key }) => key)).toEqual(["go.example.com/a"]);
  expect(again.desired.filter(wantsGone).map(({ key }) => key)).toEqual(["go.example.com/a2"]);
});
