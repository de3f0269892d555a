// What the doctor finds that is neither well nor hopeless: each with its word, and none hides another.

import { expect, it } from "vitest";
import { doctor } from "../../src/cli/doctor.ts";
import type { Clock } from "../../src/domain/clock.ts";
import { EXIT, UserError } from "../../src/errors.ts";
import { startProxy, type Answer } from "../support/proxy.ts";
import { runIn, temporaryFolder, writeFiles, type Scenario } from "../support/scenario.ts";
import { examine, LINK, startDoctor } from "./examining.ts";

/** Replaces the project file, which then has no labels. */
async function writeProject({ folder, sandbox }: Scenario, text: string, service = ""): Promise<void> {
  const head = `version: 1\nservice: { base_url: "${sandbox.url}"${service} }\n`;
  await writeFiles(folder, { "linkform.yaml": `${head}${text}` });
}

async function startUnlabeled(text = LINK): Promise<Scenario> {
  const scenario = await startDoctor();
  await writeProject(scenario, text);
  return scenario;
}

function refusing(scenario: Scenario, part: string, status: number): Promise<string> {
  const answer: Answer = { status, body: `{"message":"No.","status":${status}}` };
  return startProxy(scenario.sandbox.url, (_method, url) => (url.includes(part) ? answer : "forward"));
}

// Fails when one list that can't be read hides the checks behind it, or goes unsaid.
it("a list that fails is reported, and the other checks still run", async () => {
  const scenario = await startUnlabeled();
  const { exit, said } = await examine(scenario, { baseUrl: await refusing(scenario, "/pixels?", 422) });
  expect([exit, said["pixels"]]).toEqual([1, expect.stringMatching(/^failed: The service rejected/)]);
  expect(said).toMatchObject({
    links: "ok: 1 link, 1 request to read them all.",
    domains: "ok: go.example.com (2), promo.example.com (3).",
    "delete pixels": expect.stringMatching(/^ok/),
  });
});

// Fails when a zone counts as missing that the files state.
it("a zone that only the files state is well; one that nobody states is a warning", async () => {
  const scenario = await startUnlabeled();
  const baseUrl = await refusing(scenario, "/account", 404);
  const missing = await examine(scenario, { baseUrl });
  expect([missing.exit, missing.document.well, missing.said["time zone"]]).toEqual([
    0,
    true,
    "warning: The service does not report the account's time zone, which it uses for dates.",
  ]);
  await writeProject(scenario, LINK, ", account_timezone: Europe/Berlin");
  expect((await examine(scenario, { baseUrl })).said["time zone"]).toBe(
    "ok: Europe/Berlin, from the files. The service does not report it.",
  );
});

// Fails when the doctor counts warnings as errors, or goes silent about the service because the files are wrong.
it("files with mistakes: only the errors are counted, and the service is looked at", async () => {
  const text =
    "links: { go.example.com/a: { url: nonsense }, go.example.com/b: { url: http://127.0.0.1/ } }\nspace: 1\n";
  const scenario = await startUnlabeled(text);
  const { exit, said } = await examine(scenario, { baseUrl: scenario.sandbox.url });
  expect([exit, said["files"], said["key"]]).toEqual([
    1,
    "failed: 2 errors found.",
    "ok: The service accepts the API key.",
  ]);
});

// Fails when a file that was named and is not there passes because an address was named, too.
it("a project file that is named and missing fails", async () => {
  const scenario = await startUnlabeled();
  const { exit, said } = await examine(scenario, { config: "other.yaml", baseUrl: scenario.sandbox.url });
  expect([exit, said["files"]]).toEqual([1, expect.stringMatching(/^failed: .*other\.yaml/)]);
});

// Fails when an address that a pull request could change passes in CI, or --base-url does not go before the variable.
it("the address: only in the files, it fails in CI; without files LINKFORM_BASE_URL, unless --base-url says otherwise", async () => {
  const scenario = await startUnlabeled();
  const unpinned = await examine(scenario, {}, { env: { CI: "true" } });
  expect([unpinned.exit, unpinned.said["address"], unpinned.said["key"]]).toEqual([
    1,
    `failed: Only the files set the service address ${scenario.sandbox.url}, which would receive the API key. In CI, a pull request can change the files.`,
    undefined,
  ]);
  const folder = await temporaryFolder();
  const pinned = await examine(scenario, {}, { env: { LINKFORM_BASE_URL: scenario.sandbox.url }, folder });
  expect([pinned.exit, pinned.said["address"]]).toEqual([0, `ok: ${scenario.sandbox.url}`]);
  const named = { baseUrl: scenario.sandbox.url };
  const other = await examine(scenario, named, { env: { LINKFORM_BASE_URL: "https://other.example.com" }, folder });
  expect([other.exit, other.said["address"]]).toEqual([0, `ok: ${scenario.sandbox.url}`]);
});

// Fails when a redirect, which is how a bad key is answered to strangers, counts as the service's trouble.
it("a redirect is about the key", async () => {
  const scenario = await startUnlabeled();
  const baseUrl = await startProxy(scenario.sandbox.url, () => ({ status: 302, body: "" }));
  const { exit, said } = await examine(scenario, { baseUrl });
  expect([exit, said["key"], said["service"]]).toEqual([1, expect.stringMatching(/^failed: .*redirects/), undefined]);
});

/** A clock that stands still, ahead of the service's by so many seconds. */
function clockAhead(seconds: number): Clock {
  const now = Date.now() + seconds * 1000;
  return { now: () => now, sleep: () => Promise.resolve(), random: () => 0, real: (ms) => ms };
}

// Fails when a difference counts that does no harm, or one passes that does, on either side: expiry is judged by the clock.
it.each([
  [45, "ok"],
  [-45, "ok"],
  [75, "warning"],
  [-75, "warning"],
  [3600, "warning"],
])("a clock that is %i s ahead: %s", async (seconds, status) => {
  const { said, exit, document } = await examine(await startUnlabeled(), {}, { clock: clockAhead(seconds) });
  const side = seconds > 0 ? "behind" : "ahead of";
  const about = `${status}: The service's clock is [\\d,]+ seconds ${side} the clock of this machine\\.`;
  expect([exit, said["clock"]]).toEqual([0, expect.stringMatching(new RegExp(`^${about}$`))]);
  const hint = document.checks.find(({ name }) => name === "clock")?.hint ?? "";
  expect(hint.startsWith("Set the clock of this machine")).toBe(status === "warning");
});

// Fails when a pipeline that keeps the report goes on without one, or the figures of the last line are the wrong way round.
it("a report that can't be written: 1; and how many checks failed", async () => {
  const scenario = await startUnlabeled();
  const unwritten = await runIn(scenario.folder, scenario.env, (world) =>
    doctor(world, { format: ["json=no/such/folder.json"] }),
  );
  expect([unwritten.exit, unwritten.err]).toEqual([1, expect.stringContaining("report-unwritable")]);
  const baseUrl = await refusing(scenario, "/spaces", 422);
  const { out } = await runIn(scenario.folder, scenario.env, (world) => doctor(world, { baseUrl }));
  expect(out).toMatch(/\n1 of 13 checks failed\.\n$/);
});

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
