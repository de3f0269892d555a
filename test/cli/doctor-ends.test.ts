// How the doctor ends before its last check: interrupted, out of time, or with what it could not find out.

import { expect, it } from "vitest";
import { doctor, type DoctorFlags } from "../../src/cli/doctor.ts";
import { EXIT, UserError } from "../../src/errors.ts";
import type { DoctorDocument } from "../../src/render/json/schema.ts";
import { startProxy, type Answer } from "../support/proxy.ts";
import { runIn, startScenario, type Scenario } from "../support/scenario.ts";

interface Examined {
  readonly exit: number;
  /** `status: message` of each check, by its name. */
  readonly said: Readonly<Record<string, string>>;
}

/** Examines through a proxy, whose answer to each request is chosen here; `abort` is Ctrl-C. */
async function examineThrough(
  scenario: Scenario,
  act: (request: string, abort: () => void) => Answer | Promise<Answer>,
  flags: DoctorFlags = {},
): Promise<Examined> {
  const controller = new AbortController();
  const abort = (): void =>
    controller.abort(new UserError("interrupted", "The run was interrupted.", { exit: EXIT.interrupted }));
  const baseUrl = await startProxy(scenario.sandbox.url, (method, url) => act(`${method} ${url}`, abort));
  const { exit, out } = await runIn(
    scenario.folder,
    scenario.env,
    (world) => doctor(world, { format: ["json"], baseUrl, ...flags }),
    { signal: controller.signal },
  );
  const { checks }: DoctorDocument = JSON.parse(out);
  return {
    exit,
    said: Object.fromEntries(checks.map(({ name, status, message }) => [name, `${status}: ${message}`])),
  };
}

async function startDoctor(): Promise<Scenario> {
  const scenario = await startScenario({ seed: { links: [{ url: "https://example.com/", domain: 2, alias: "a" }] } });
  await scenario.write("links: { go.example.com/a: { url: https://example.com/ } }");
  return scenario;
}

// Fails when what was not asked any more counts as failed, or an interrupted examination as a finished one.
it("interrupted: the checks that finished are reported, nothing else fails, 130", async () => {
  const { exit, said } = await examineThrough(await startDoctor(), (request, abort) => {
    if (request.includes("/account")) abort();
    return "forward";
  });
  expect(exit).toBe(130);
  expect(Object.keys(said).slice(-3)).toEqual(["version", "pixels", "service"]);
  expect(said).toMatchObject({ links: expect.stringMatching(/^ok/), service: "failed: The run was interrupted." });
});
