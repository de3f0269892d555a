// Runs `list` and `show`.

import { expect } from "vitest";
import { list, type ListFlags } from "../../src/inspect/list.ts";
import { show } from "../../src/inspect/show.ts";
import type { ListDocument, ShowDocument } from "../../src/report/json/inspect.ts";
import type { SandboxOptions } from "../../src/sandbox/index.ts";
import { schemaErrors } from "../support/schemas.ts";
import { runIn, startScenario, type Ran, type Scenario } from "../support/scenario.ts";
import type { TerminalStream } from "../support/terminal.ts";

/** The current time of scenarios, also for the service. */
const NOW = "2026-11-21T12:00:00Z";

/** A scenario whose service has the current time of scenarios. */
export async function startLooking(options: SandboxOptions = {}): Promise<Scenario> {
  return startScenario({ now: () => new Date(NOW), ...options });
}

/** Runs a list, and checks that all requests are GET. */
export async function runList(
  scenario: Scenario,
  what: "links" | "pixels",
  flags: ListFlags,
  terminal?: TerminalStream,
): Promise<Ran> {
  const { folder, env, sandbox } = scenario;
  const ran = await runIn(
    folder,
    env,
    (world) => list(world, what, { baseUrl: sandbox.url, ...flags }),
    terminal === undefined ? {} : { terminal },
  );
  expect(scenario.writes()).toEqual([]);
  return ran;
}

/** The document, which matches its schema. */
export async function listed(
  scenario: Scenario,
  flags: ListFlags = {},
  what: "links" | "pixels" = "links",
): Promise<ListDocument> {
  const { exit, out, err } = await runList(scenario, what, { format: ["json"], ...flags });
  expect({ exit, err: exit === 0 ? "" : err, out: exit === 0 ? "" : out }).toEqual({ exit: 0, err: "", out: "" });
  const document: ListDocument = JSON.parse(out);
  expect(await schemaErrors("list", document)).toBeNull();
  return document;
}

export async function runShow(
  { folder, env, sandbox }: Scenario,
  words: readonly string[],
  flags: ListFlags = {},
  terminal?: TerminalStream,
): Promise<Ran> {
  return runIn(
    folder,
    env,
    (world) => show(world, words, { baseUrl: sandbox.url, ...flags }),
    terminal === undefined ? {} : { terminal },
  );
}

/** The document, with errors too, which matches its schema. */
export async function shown(scenario: Scenario, ...words: readonly string[]): Promise<ShowDocument> {
  const document: ShowDocument = JSON.parse((await runShow(scenario, words, { format: ["json"] })).out);
  expect(await schemaErrors("show", document)).toBeNull();
  return document;
}
