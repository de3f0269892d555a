// Starts the sandbox as the version that LINKFORM_TEST_SOFTWARE names (default 4.1), so that one suite runs on every version.

import fc from "fast-check";
import { it, onTestFinished } from "vitest";
import { DIALECTS } from "../../src/sandbox/service.ts";
import {
  SOFTWARE,
  type Sandbox,
  type SandboxOptions,
  type SeedState,
  type Software,
  startSandbox as start,
} from "../../src/sandbox/index.ts";

/** The version that tests run on. */
export const testSoftware: Software = parseSoftware(process.env["LINKFORM_TEST_SOFTWARE"]);

/**
 * Starts the sandbox. A test of one version names it in `software`. On other versions, the seed's links are completed: in 49, an end has an
 * effect only with a start.
 */
export function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  if (options.software !== undefined) return start(options);
  const { seed } = options;
  const completed = testSoftware === "49" && typeof seed === "object" ? withStarts(seed) : seed;
  return start({ ...options, ...(completed !== undefined && { seed: completed }), software: testSoftware });
}

/** A sandbox without a rate limit by default, which ends with the test. */
export async function sandboxFor(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await startSandbox({ rateLimit: 0, ...options });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

/** The requests from the given one on that were not GET, as `METHOD /path`. */
export function writesTo({ requests }: Pick<Sandbox, "requests">, from = 0): string[] {
  return requests.slice(from).flatMap(({ method, path }) => (method === "GET" ? [] : [`${method} ${path}`]));
}

function withStarts({ links, ...seed }: SeedState): SeedState {
  const started = links?.map((link) =>
    link.ends_at ? { ...link, starts_at: link.starts_at ?? "1970-01-02T00:00:00.000Z" } : link,
  );
  return { ...seed, ...(started !== undefined && { links: started }) };
}

/** Stops a sandbox, and starts another version of the service with the same account at the same address. */
export async function upgradeOf(sandbox: Sandbox, software: Software): Promise<Sandbox> {
  const { port, apiKey } = sandbox;
  const state = sandbox.state();
  await sandbox.close();
  return start({ port, apiKey, software, rateLimit: 0, seed: software === "49" ? withStarts(state) : state });
}

/** The versions for a property test: 4.1 and 4.9 by default, since forms and filters have the same names in both. */
export const randomSoftware: fc.Arbitrary<Software> =
  testSoftware === "4.1" ? fc.constantFrom("4.1", "4.9") : fc.constant(testSoftware);

/** Features of 4.1, 4.9 and 44 that 49 does not have. */
type Unlike49 = "disabled links" | "several or inactive target groups" | "groups of over 100 entries" | "dates in 2038";

/** Whether the tested version has this feature. */
export const holds = (_what: Unlike49): boolean => testSoftware !== "49";

/** Test cases for a feature of some versions; none on the others. */
export function where<Case>(what: Unlike49, cases: readonly Case[]): readonly Case[] {
  return holds(what) ? cases : [];
}

/** `it` for a feature of some versions. On the others, the test does not exist: a skipped test would count as not run. */
export const itWhere = (what: Unlike49): ((title: string, run: () => Promise<void>) => void) =>
  holds(what) ? it : () => undefined;

/** A field that takes a link offline in the tested version, as in files. */
export const OFFLINE: string = holds("disabled links") ? "disabled: true" : "expiration: { date: 2020-01-01 }";

/** The returned name of a link's field in the tested version, by its name in the state; undefined if it has none. */
export const returnedName = (field: string): string | undefined => DIALECTS[testSoftware].returned[field];

/** The tested version's name of a filter for links, by its name in 4.1. */
export const filterName = (name: "domain" | "space" | "pixel"): string => DIALECTS[testSoftware].filters[name] ?? name;

/**
 * Translates a form from the names of 4.1 to those of the tested version, without unknown fields. An expiration date becomes a period that
 * started long ago.
 */
export function wireForm(form: string): string {
  const { sent } = DIALECTS[testSoftware];
  const own = new URLSearchParams(form);
  const wire = new URLSearchParams();
  for (const [name, value] of own) {
    const [base = ""] = name.split("[");
    const renamed = sent[base];
    if (renamed !== undefined) wire.append(`${renamed}${name.slice(base.length)}`, value);
  }
  const [date, time] = [own.get("expiration_date"), own.get("expiration_time")];
  if (date !== null && time !== null && sent["starts_at"] !== undefined && sent["ends_at"] !== undefined) {
    wire.append(sent["starts_at"], date === "" ? "" : "1970-01-02 00:00");
    wire.append(sent["ends_at"], date === "" ? "" : `${date} ${time}`);
  }
  return wire.toString();
}

/** Translates a form from the names of the tested version to those of the state. */
export function ownForm(body: string): URLSearchParams {
  const names = new Map(Object.entries(DIALECTS[testSoftware].sent).map(([own, wire]) => [wire, own]));
  const pairs = [...new URLSearchParams(body)].map(([name, value]): [string, string] => {
    const [base = ""] = name.split("[");
    return [`${names.get(base) ?? base}${name.slice(base.length)}`, value];
  });
  return new URLSearchParams(pairs);
}

/** A form without a link's pixels, by their names in all versions. */
export function withoutPixels(body: string): string {
  const form = new URLSearchParams(body);
  for (const name of ["pixels[]", "pixel_ids[]"]) form.delete(name);
  return form.toString();
}

function parseSoftware(value = "4.1"): Software {
  const software = SOFTWARE.find((version) => version === value);
  if (software === undefined)
    throw new Error(`LINKFORM_TEST_SOFTWARE must be one of ${SOFTWARE.join(", ")}: "${value}".`);
  return software;
}
