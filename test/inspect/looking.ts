// Runs `list` and `show`, and computes the expected lists from the sandbox's own state, without code of linkform.

import { expect } from "vitest";
import { list, type ListFlags } from "../../src/inspect/list.ts";
import { show } from "../../src/inspect/show.ts";
import type { ListDocument, ShowDocument } from "../../src/report/json/inspect.ts";
import type { Link, SandboxOptions, State } from "../../src/sandbox/index.ts";
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

export async function listed(
  scenario: Scenario,
  flags: ListFlags = {},
  what: "links" | "pixels" = "links",
): Promise<ListDocument> {
  const { exit, out, err } = await runList(scenario, what, { format: ["json"], ...flags });
  expect({ exit, err: exit === 0 ? "" : err, out: exit === 0 ? "" : out }).toEqual({ exit: 0, err: "", out: "" });
  return JSON.parse(out);
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

export async function shown(scenario: Scenario, ...words: readonly string[]): Promise<ShowDocument> {
  return JSON.parse((await runShow(scenario, words, { format: ["json"] })).out);
}

/** The criteria for links, with the ids of the service. */
export interface PlainFilter {
  readonly search?: string;
  readonly by?: "title" | "alias" | "url";
  readonly status?: "active" | "expired" | "disabled";
  /** 0: no space. */
  readonly space?: number;
  readonly domain?: number;
  readonly pixel?: number;
}

export type PlainSort = "asc" | "desc" | "max" | "min";

/** In lower case, without the accents that these tests use. */
function plainFold(text: string): string {
  return Array.from(text, (letter) => {
    const small = letter.toLowerCase();
    return { é: "e", ü: "u", ñ: "n" }[small] ?? small;
  }).join("");
}

function hasStatus(link: Link, status: PlainFilter["status"]): boolean {
  const limit = link.expiration_clicks ?? 0;
  const isOver = (link.ends_at !== null && link.ends_at <= NOW) || (limit > 0 && link.clicks >= limit);
  if (status === "expired") return isOver;
  if (status === "disabled") return link.disabled === 1;
  return status === undefined || (!isOver && link.disabled === 0);
}

/** The ids of the matching links, in their order. */
export function plainIds({ links }: State, filter: PlainFilter, sort: PlainSort): number[] {
  const { search, by = "title", status, space, domain, pixel } = filter;
  const wanted = links.filter(
    (link) =>
      (search === undefined || plainFold(link[by] ?? "").includes(plainFold(search))) &&
      hasStatus(link, status) &&
      (space === undefined || (link.space ?? 0) === space) &&
      (domain === undefined || link.domain === domain) &&
      (pixel === undefined || link.pixels.includes(pixel)),
  );
  const rank = (link: Link): number => ({ asc: link.id, desc: -link.id, max: -link.clicks, min: link.clicks })[sort];
  return wanted.toSorted((a, b) => rank(a) - rank(b) || a.id - b.id).map(({ id }) => id);
}

/** The flags of `list` for a plain filter. */
export function flagsOf({ space, domain, pixel, ...same }: PlainFilter): ListFlags {
  return {
    ...same,
    ...(space !== undefined && { space: space === 0 ? "none" : `#${space}` }),
    ...(domain !== undefined && { domain: `#${domain}` }),
    ...(pixel !== undefined && { pixel: `#${pixel}` }),
  };
}
