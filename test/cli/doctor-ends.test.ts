// How the doctor ends before its last check: interrupted, out of time, or with what it could not find out.

import { expect, it } from "vitest";
import { EXIT, UserError } from "../../src/errors.ts";
import { startProxy } from "../support/proxy.ts";
import { examine, startDoctor } from "./examining.ts";

// Fails when what was not asked any more counts as failed, or an interrupted examination as a finished one.
it("interrupted: the checks that finished are reported, nothing else fails, 130", async () => {
  const controller = new AbortController();
  const interruption = new UserError("interrupted", "The run was interrupted.", { exit: EXIT.interrupted });
  const scenario = await startDoctor();
  const baseUrl = await startProxy(scenario.sandbox.url, (_method, url) => {
    if (url.includes("/account")) controller.abort(interruption);
    return "forward";
  });
  const { exit, said } = await examine(scenario, { baseUrl }, { signal: controller.signal });
  expect(exit).toBe(130);
  expect(Object.keys(said).slice(-3)).toEqual(["version", "pixels", "service"]);
  expect(said).toMatchObject({ links: expect.stringMatching(/^ok/), service: "failed: The run was interrupted." });
});
