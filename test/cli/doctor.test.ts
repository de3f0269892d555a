// The doctor: each check reports the state, the problem and its fix, one problem does not hide another, and nothing is changed.

import { expect, it } from "vitest";
import { doctor, type DoctorFlags } from "../../src/cli/doctor.ts";
import type { Clock } from "../../src/domain/clock.ts";
import { EXIT, UserError } from "../../src/errors.ts";
import type { DoctorDocument } from "../../src/report/json/schema.ts";
import type { SandboxOptions } from "../../src/sandbox/index.ts";
import { systemClock } from "../../src/session/context.ts";
import { startProxy, type Answer } from "../support/proxy.ts";
import { testSoftware } from "../support/sandbox.ts";
import { runIn, startScenario, temporaryFolder, writeFiles, type Ran, type Scenario } from "../support/scenario.ts";
import { schemaErrors } from "../support/schemas.ts";

const LINK = "links: { go.example.com/a: { url: https://example.com/ } }\n";

interface Examined extends Ran {
  readonly document: DoctorDocument;
  /** `status: message` of each check, by its name. */
  readonly said: Readonly<Record<string, string>>;
}

type Circumstances = NonNullable<Parameters<typeof runIn>[3]> & {
  readonly env?: Readonly<Record<string, string>>;
  readonly folder?: string;
};

async function examine(
  scenario: Scenario,
  flags: DoctorFlags = {},
  { env = {}, folder = scenario.folder, ...world }: Circumstances = {},
): Promise<Examined> {
  const all = { format: ["json"], ...flags };
  const ran = await runIn(folder, { ...scenario.env, ...env }, (its) => doctor(its, all), world);
  const document: DoctorDocument = JSON.parse(ran.out);
  const said = Object.fromEntries(document.checks.map(({ name, status, message }) => [name, `${status}: ${message}`]));
  return { ...ran, document, said };
}

/** A project with one link, which is live. */
async function start(options: SandboxOptions = {}, text = LINK): Promise<Scenario> {
  const links = [{ url: "https://example.com/", domain: 2, alias: "a" }];
  const scenario = await startScenario({ seed: { links }, ...options });
  await scenario.write(text);
  return scenario;
}

/** Replaces the project file, which then has no labels. */
async function writeProject({ folder, sandbox }: Scenario, text: string, service = ""): Promise<void> {
  const head = `version: 1\nservice: { base_url: "${sandbox.url}"${service} }\n`;
  await writeFiles(folder, { "linkform.yaml": `${head}${text}` });
}

const refusal = (status: number): Answer => ({ status, body: `{"message":"No.","status":${status}}` });

// Fails if a check is missing, or if something is changed: the requests that are not GET name a row that cannot exist.
it("all is well", async () => {
  const link = "links: { go.example.com/a: { url: https://example.com/, space: Sales } }";
  const scenario = await start({ rateLimit: 60, timezone: "Europe/Berlin" }, link);
  const before = scenario.sandbox.state();
  const { exit, document, said } = await examine(scenario, {}, { clock: systemClock });
  expect(said).toEqual({
    files: "ok: linkform.yaml: 1 file read.",
    address: `ok: ${scenario.sandbox.url}`,
    key: "ok: The service accepts the API key.",
    "rate limit": "ok: 60 requests per window, 59 left.",
    clock: "ok: The clocks of this machine and the service agree.",
    links: "ok: 1 link, 1 request to read them all.",
    version: `ok: ${testSoftware}, detected from the service's responses.`,
    pixels: "ok: 0 pixels, 1 request to read them all.",
    "time zone": "ok: Europe/Berlin.",
    domains: "ok: go.example.com (2), promo.example.com (3).",
    spaces: "ok: Marketing (1), Sales (2).",
    "delete links":
      "ok: The service refuses the documented path. The path under api/v1 works. Tested with DELETE /links/0/destroy and DELETE /api/v1/links/0. No link has the id 0.",
    "delete pixels":
      "ok: The service refuses the documented path. The path under api/v1 works. Tested with DELETE /index.php/pixels/0/destroy and DELETE /index.php/api/v1/pixels/0. No pixel has the id 0.",
  });
  expect([exit, document.well]).toEqual([0, true]);
  expect(scenario.sandbox.state()).toEqual(before);
  const shown = Object.values(said).flatMap((message) => message.match(/DELETE [^ ]+?(?=\.? )/g) ?? []);
  expect(scenario.writes()).toEqual(shown);
  expect(await schemaErrors("doctor", document)).toBeNull();
});

// Fails if the report does not say where linkform knows the version from.
it("a declared version is named as such", async () => {
  const scenario = await start();
  await scenario.declare(testSoftware);
  const declared = `ok: ${testSoftware}, declared in the project file. The responses do not contradict it.`;
  expect((await examine(scenario)).said["version"]).toBe(declared);
});

// Fails if a path is named that does not delete there.
it.each([
  ["documented", "The documented path works. Tested with DELETE "],
  ["both", "The service refuses neither path. The first delete will show which one works. Tested with DELETE "],
] as const)("a sandbox that deletes on %s", async (deletePath, message) => {
  const { said, exit } = await examine(await start({ deletePath }));
  const expected = expect.stringContaining(`ok: ${message}`);
  expect([said["delete links"], said["delete pixels"], exit]).toEqual([expected, expected, 0]);
});

// Fails if one problem hides the others, or if the last line miscounts.
it("each problem is reported with its fix, and the other checks still run", async () => {
  const scenario = await start({ timezone: "Europe/Berlin" });
  await writeProject(scenario, `domains: { go.example.com: 3 }\n${LINK}`, ", account_timezone: UTC");
  const baseUrl = await startProxy(scenario.sandbox.url, (method, url): Answer => {
    if (url.startsWith("/api/v1/spaces")) return refusal(403);
    if (url.includes("/pixels?")) return refusal(422);
    return method === "DELETE" ? { status: 405, body: '{"message":"No."}' } : "forward";
  });
  const { exit, said, document } = await examine(scenario, { baseUrl });
  expect([exit, document.well]).toEqual([1, false]);
  expect(said).toMatchObject({
    "time zone": "failed: The files say UTC, but the account uses Europe/Berlin. Every date would be wrong.",
    spaces: "warning: The service does not list its spaces for this API key.",
    pixels: expect.stringMatching(/^failed: The service rejected/),
    "delete links": expect.stringMatching(/^failed: The service refuses both paths\. Tested with DELETE /),
    links: "ok: 1 link, 1 request to read them all.",
  });
  // The message of the service explains what it rejects.
  const failures = document.checks.filter(({ name, status }) => status !== "ok" && name !== "pixels");
  expect(failures.every(({ hint }) => hint !== null)).toBe(true);
  const { out } = await runIn(scenario.folder, scenario.env, (world) => doctor(world, { baseUrl }));
  const count = document.checks.filter(({ status }) => status === "failed").length;
  expect(out.endsWith(`\n${count} of 13 checks failed.\n`)).toBe(true);
});

// Fails if a problem of the key is reported as one of the service, or the other way round.
it.each<[string, string, string | undefined, Answer, string]>([
  [
    "a wrong key",
    "key",
    "another-key",
    "forward",
    "failed: The service rejected GET /api/v1/links (401): Unauthenticated.",
  ],
  ["no key", "key", "", "forward", "failed: The API key is not set."],
  // Strangers are redirected to the page where people log in.
  ["a redirect", "key", undefined, { status: 302, body: "" }, "redirects"],
  [
    "another page",
    "service",
    undefined,
    { status: 404, body: "<h1>Nothing here</h1>" },
    'failed: The response to GET /api/v1/links (404) is not JSON: "Nothing here"',
  ],
])("%s fails the check `%s`", async (_what, check, key, answer, message) => {
  const scenario = await start();
  const baseUrl = await startProxy(scenario.sandbox.url, () => answer);
  const env = key === undefined ? {} : { LINKFORM_API_KEY: key };
  const { exit, said } = await examine(scenario, { baseUrl }, { env });
  expect([exit, said[check]]).toEqual([1, expect.stringContaining(message)]);
  expect(said[check === "key" ? "service" : "version"]).toBeUndefined();
});

// Fails if a zone counts as missing that the files have.
it("a zone that only the files have is well; one that nobody reports is a warning", async () => {
  const scenario = await start();
  const baseUrl = await startProxy(scenario.sandbox.url, (_method, url) =>
    url.includes("/account") ? refusal(404) : "forward",
  );
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

// Fails if warnings count as errors, if mistakes in the files hide the service, or if a missing file passes because an address was named.
it("files with mistakes: only the errors are counted, and the service is examined; a named file must exist", async () => {
  const bad =
    "links: { go.example.com/a: { url: nonsense }, go.example.com/b: { url: http://127.0.0.1/ } }\nspace: 1\n";
  const scenario = await start({}, bad);
  const named = { baseUrl: scenario.sandbox.url };
  const { exit, said } = await examine(scenario, named);
  expect([exit, said["files"], said["key"]]).toEqual([
    1,
    "failed: 2 errors found.",
    "ok: The service accepts the API key.",
  ]);
  const missing = await examine(scenario, { config: "other.yaml", ...named });
  expect([missing.exit, missing.said["files"]]).toEqual([1, expect.stringMatching(/^failed: .*other\.yaml/)]);
});

// Fails if an address that a pull request could change passes in CI, if --base-url does not override the variable, or if files are needed.
it("the address: only in the files, it fails in CI; without files, it is that of LINKFORM_BASE_URL or --base-url", async () => {
  const scenario = await start();
  const { url } = scenario.sandbox;
  const unpinned = await examine(scenario, {}, { env: { CI: "true" } });
  expect([unpinned.exit, unpinned.said["address"], unpinned.said["key"]]).toEqual([
    1,
    `failed: Only the files set the service address ${url}, which would receive the API key. In CI, a pull request can change the files.`,
    undefined,
  ]);
  const folder = await temporaryFolder();
  for (const [flags, pinned] of [
    [{}, url],
    [{ baseUrl: url }, "https://other.example.com"],
  ] as const) {
    const { exit, said } = await examine(scenario, flags, { env: { LINKFORM_BASE_URL: pinned }, folder });
    expect([exit, said["address"]]).toEqual([0, `ok: ${url}`]);
  }
  const run = (flags: DoctorFlags): Promise<Ran> => runIn(folder, scenario.env, (world) => doctor(world, flags));
  const named = await run({ baseUrl: url });
  expect([named.exit, named.out]).toEqual([0, expect.stringMatching(/! files[^]*All is well\./)]);
  const unnamed = await run({});
  expect([unnamed.exit, unnamed.out]).toEqual([1, expect.stringContaining("The service address is not set.")]);
});

// Fails if a harmless difference counts, or if a harmful one passes, in either direction: the clock decides what has expired.
it.each([
  [45, "ok"],
  [-45, "ok"],
  [75, "warning"],
  [-75, "warning"],
  [3600, "warning"],
])("a clock that is %i s ahead: %s", async (seconds, status) => {
  const now = Date.now() + seconds * 1000;
  const clock: Clock = { now: () => now, sleep: () => Promise.resolve(), random: () => 0, real: (ms) => ms };
  const { said, exit, document } = await examine(await start(), {}, { clock });
  const side = seconds > 0 ? "behind" : "ahead of";
  const about = `${status}: The service's clock is [\\d,]+ seconds ${side} the clock of this machine\\.`;
  expect([exit, said["clock"]]).toEqual([0, expect.stringMatching(new RegExp(`^${about}$`))]);
  const hint = document.checks.find(({ name }) => name === "clock")?.hint ?? "";
  expect(hint.startsWith("Set the clock of this machine")).toBe(status === "warning");
});

// Fails if a pipeline that keeps the report continues without one.
it("a report that cannot be written: 1", async () => {
  const { folder, env } = await start();
  const { exit, err } = await runIn(folder, env, (world) => doctor(world, { format: ["json=no/such/folder.json"] }));
  expect([exit, err]).toEqual([1, expect.stringContaining("report-unwritable")]);
});

// Fails if a check that did not run counts as failed, or if an interrupted examination counts as complete.
it("interrupted: the completed checks are reported, nothing else fails, 130", async () => {
  const controller = new AbortController();
  const interruption = new UserError("interrupted", "The run was interrupted.", { exit: EXIT.interrupted });
  const scenario = await start();
  const baseUrl = await startProxy(scenario.sandbox.url, (_method, url) => {
    if (url.includes("/account")) controller.abort(interruption);
    return "forward";
  });
  const { exit, said } = await examine(scenario, { baseUrl }, { signal: controller.signal });
  expect(exit).toBe(130);
  expect(Object.keys(said).slice(-3)).toEqual(["version", "pixels", "service"]);
  expect(said).toMatchObject({ links: expect.stringMatching(/^ok/), service: "failed: The run was interrupted." });
});
