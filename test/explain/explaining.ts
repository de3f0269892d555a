// Runs `explain` as a command, and reads its document.

import { expect } from "vitest";
import { explain, type ExplainFlags } from "../../src/explain/command.ts";
import type { ExplainDocument, SideDocument } from "../../src/report/json/explain.ts";
import { schemaErrors } from "../support/schemas.ts";
import { runIn, type Ran, type Scenario } from "../support/scenario.ts";

export async function run({ folder, env }: Scenario, link: string, flags: ExplainFlags = {}): Promise<Ran> {
  return runIn(folder, env, (world) => explain(world, link, flags));
}

/** The text of a link that can be explained. */
export async function text(scenario: Scenario, link: string, flags: ExplainFlags = {}): Promise<string> {
  const { exit, out, err } = await run(scenario, link, flags);
  expect({ exit, err: exit === 0 ? "" : err }).toEqual({ exit: 0, err: "" });
  return out;
}

/** The document, which matches its schema. */
export async function document(scenario: Scenario, link: string, flags: ExplainFlags = {}): Promise<ExplainDocument> {
  const { exit, out } = await run(scenario, link, { ...flags, format: ["json"] });
  const read: ExplainDocument = JSON.parse(out);
  expect({ exit, errors: await schemaErrors("explain", read) }).toEqual({ exit: 0, errors: null });
  return read;
}

/** The only side of the document. */
export async function side(scenario: Scenario, link: string, flags: ExplainFlags = {}): Promise<SideDocument> {
  const { sides } = await document(scenario, link, flags);
  const [only] = sides;
  if (only === undefined || sides.length !== 1) throw new Error("not one side");
  return only;
}
