// GitHub's own check of workflows and actions, the one that editors show (@actions/languageservice).

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import type { ActionMetadata } from "@actions/languageservice/action";
import { build } from "esbuild";
import { TextDocument } from "vscode-languageserver-textdocument";
import { parse } from "yaml";
import { ROOT } from "./documents.ts";

/** Bundled, because it imports JSON in a way that only bundlers support, and as CommonJS, because it contains some. */
async function load(): Promise<typeof import("@actions/languageservice")> {
  const folder = await mkdtemp(path.join(tmpdir(), "linkform-"));
  const outfile = path.join(folder, "languageservice.cjs");
  const entryPoints = [path.join(ROOT, "node_modules/@actions/languageservice/dist/index.js")];
  await build({ entryPoints, outfile, bundle: true, format: "cjs", platform: "node" });
  const module = createRequire(import.meta.url)(outfile);
  await rm(folder, { recursive: true });
  return module;
}

let counter = 0;
let loaded: ReturnType<typeof load> | undefined;

/** The inputs of the actions in our workflows. Ours are read from its file. */
async function metadataOf(uses: string): Promise<ActionMetadata | undefined> {
  if (uses.endsWith("/linkform")) return parse(await readFile(path.join(ROOT, "action.yml"), "utf8"));
  const others: Readonly<Record<string, readonly string[]>> = {
    "actions/checkout": ["fetch-depth", "persist-credentials", "ref"],
    "actions/cache": ["path", "key", "restore-keys"],
    "actions/upload-artifact": ["name", "path", "if-no-files-found"],
    "actions/download-artifact": ["name", "pattern", "path", "merge-multiple"],
    "actions/setup-node": ["node-version"],
    "ossf/scorecard-action": ["results_file", "results_format", "publish_results"],
    "github/codeql-action": ["sarif_file"],
    "actions/attest-build-provenance": ["subject-path", "subject-name", "subject-digest", "push-to-registry"],
  };
  const inputs = others[uses];
  if (inputs === undefined) return undefined;
  return {
    name: uses,
    description: uses,
    inputs: Object.fromEntries(inputs.map((name) => [name, { description: "" }])),
  };
}

/** GitHub's complaints about a file, as `line: message`. `name` decides its type: action.yml, or a workflow. */
export async function complaintsAbout(name: string, text: string): Promise<string[]> {
  const { validate } = await (loaded ??= load());
  // It caches files by their address.
  const uri = `file:///${counter++}/${name === "action.yml" ? name : `.github/workflows/${name}`}`;
  const found = await validate(TextDocument.create(uri, "yaml", 0, text), {
    actionsMetadataProvider: { fetchActionMetadata: ({ owner, name: action }) => metadataOf(`${owner}/${action}`) },
  });
  // It does not know the payload of this event, which has `merge_group` (GitHub's "Webhook events and payloads").
  const complaints = found.filter(({ message }) => message !== "Context access might be invalid: merge_group");
  return complaints.map(({ message, range }) => `${range.start.line + 1}: ${message}`);
}
