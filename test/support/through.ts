// Runs that use a proxy, with a response of the test's choice for each request.

import { expect } from "vitest";
import { apply, type ApplyFlags } from "../../src/cli/apply.ts";
import { EXIT, UserError } from "../../src/errors.ts";
import type { ApplyDocument } from "../../src/report/json/schema.ts";
import type { Clock } from "../../src/domain/clock.ts";
import { startProxy, type Answer } from "./proxy.ts";
import { withoutPixels } from "./sandbox.ts";
import { runIn, type Ran, type Scenario } from "./scenario.ts";

/** The handling of a request, given as `METHOD /path?query`; `abort` is Ctrl-C. */
export type Act = (request: string, body: string, abort: () => void) => Answer | Promise<Answer>;

export interface Through extends Ran {
  /** The requests that the proxy received. */
  readonly asked: readonly string[];
}

export const SERVER_ERROR: Answer = { status: 500, body: '{"message":"Server Error"}' };
export const TOO_MANY: Answer = { status: 429, body: '{"message":"Too Many Attempts."}' };

const INTERRUPTED = new UserError("interrupted", "The run was interrupted.", { exit: EXIT.interrupted });

/** `linkform apply --yes` through a proxy. */
export async function applyThrough(
  scenario: Scenario,
  act: Act,
  flags: ApplyFlags = {},
  clock: { readonly clock?: Clock } = {},
): Promise<Through> {
  const controller = new AbortController();
  const asked: string[] = [];
  const baseUrl = await startProxy(scenario.sandbox.url, (method, url, body) => {
    asked.push(`${method} ${url}`);
    return act(`${method} ${url}`, body, () => controller.abort(INTERRUPTED));
  });
  const ran = await runIn(scenario.folder, scenario.env, (world) => apply(world, { yes: true, baseUrl, ...flags }), {
    signal: controller.signal,
    ...clock,
  });
  return { ...ran, asked };
}

/** The same with `--format json`. */
export async function documentThrough(
  scenario: Scenario,
  act: Act,
  flags: ApplyFlags = {},
  clock: { readonly clock?: Clock } = {},
): Promise<Through & { readonly document: ApplyDocument }> {
  const through = await applyThrough(scenario, act, { format: ["json"], ...flags }, clock);
  return { ...through, document: JSON.parse(through.out) };
}

/** The first match gets `act`. All other requests are forwarded. */
export function once(matches: RegExp, act: (body: string, abort: () => void) => Answer | Promise<Answer>): Act {
  let done = false;
  return (request, body, abort) => {
    if (done || !matches.test(request)) return "forward";
    done = true;
    return act(body, abort);
  };
}

/** Just before the first match is forwarded, `act` runs. */
export function beforeFirst(matches: RegExp, act: () => Promise<unknown>): Act {
  return once(matches, async (): Promise<Answer> => {
    await act();
    return "forward";
  });
}

/**
 * Sends a request to the sandbox as somebody else; returns its status. Domain, space and pixels may have the names of 4.1: they are sent
 * under both names, and each version ignores the other.
 */
export async function send(
  { sandbox }: Pick<Scenario, "sandbox">,
  method: string,
  path: string,
  form = "",
): Promise<number> {
  const { status } = await fetch(`${sandbox.url}${path}`, {
    method,
    headers: {
      accept: "application/json",
      authorization: `Bearer ${sandbox.apiKey}`,
      "content-type": "application/x-www-form-urlencoded",
    },
    ...(form === "" ? {} : { body: inBothNames(form) }),
  });
  return status;
}

function inBothNames(form: string): string {
  return form
    .replaceAll(/(?<=^|&)(domain|space)=([^&]*)/g, "$&&$1_id=$2")
    .replaceAll(/(?<=^|&)pixels(\[\]|%5B%5D)=([^&]*)/g, "$&&pixel_ids$1=$2");
}

/** Answers a store with a 500 after all but the record's pixels was saved (docs/service.md, "Clearing a field"). */
export async function storeWithoutPixels(scenario: Scenario, body: string): Promise<Answer> {
  expect(await send(scenario, "POST", "/api/v1/links", withoutPixels(body))).toBe(201);
  return SERVER_ERROR;
}
