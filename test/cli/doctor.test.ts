// The doctor: each check says what is, what is wrong, and what to do; and nothing is changed by it.

import { readFile } from "node:fs/promises";
import { Ajv } from "ajv";
import { expect, it } from "vitest";
import { systemClock } from "../../src/session/context.ts";
import { doctor, type DoctorFlags } from "../../src/cli/doctor.ts";
import { SOFTWARE } from "../../src/domain/software.ts";
import { startProxy, type Answer } from "../support/proxy.ts";
import { testSoftware } from "../support/sandbox.ts";
import { runIn, temporaryFolder, writeFiles, type Ran } from "../support/scenario.ts";
import { examine, startDoctor } from "./examining.ts";

const REAL = { clock: systemClock };

// Fails when a check is missing, or something is changed: the requests that are not GET name a row that can't be.
it("all is well", async () => {
  const link = "links: { go.example.com/a: { url: https://example.com/, space: Sales } }";
  const scenario = await startDoctor({ rateLimit: 60, timezone: "Europe/Berlin" }, link);
  const before = scenario.sandbox.state();
  const { exit, document, said } = await examine(scenario, {}, REAL);
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
  const validate = new Ajv().compile(JSON.parse(await readFile("schemas/doctor.schema.json", "utf8")));
  expect([validate(document), validate.errors]).toEqual([true, null]);
});

// Fails when the version is not named, or how it is known.
it.each(SOFTWARE)("version %s is named", async (software) => {
  const scenario = await startDoctor({ software });
  const { said, exit } = await examine(scenario);
  expect([exit, said["version"]]).toEqual([0, `ok: ${software}, detected from the service's responses.`]);
  await scenario.declare(software);
  const declared = `ok: ${software}, declared in the project file. The responses do not contradict it.`;
  expect((await examine(scenario)).said["version"]).toBe(declared);
});

it("an unknown version is named with what is odd about it", async () => {
  const scenario = await startDoctor({ software: "49" });
  const baseUrl = await startProxy(
    scenario.sandbox.url,
    () => "forward",
    (body) => body.replaceAll('"targets_type":', '"target_type":0,"targets_type":'),
  );
  const { exit, said } = await examine(scenario, { baseUrl });
  expect(exit).toBe(1);
  expect(said["links"]).toMatch(
    /^failed: linkform does not know this version of the service: the keys of a link do not match version 44 or 49: it has .*`target_type`, .*`targets_type`.*\.$/,
  );
  expect(said["version"]).toBe("failed: Unknown. See `links`.");
});

// Fails when a path is named that does not delete there.
it.each([
  ["documented", "The documented path works. Tested with DELETE "],
  ["both", "The service refuses neither path. The first delete will show which one works. Tested with DELETE "],
] as const)("a sandbox that deletes on %s", async (deletePath, message) => {
  const { said, exit } = await examine(await startDoctor({ deletePath }));
  const expected = expect.stringContaining(`ok: ${message}`);
  expect([said["delete links"], said["delete pixels"], exit]).toEqual([expected, expected, 0]);
});

// Fails when one thing that is wrong hides the others.
it("each problem is reported with its fix, and the other checks still run", async () => {
  const scenario = await startDoctor({ timezone: "Europe/Berlin" });
  await writeFiles(scenario.folder, {
    "linkform.yaml": `version: 1\nservice: { base_url: "${scenario.sandbox.url}", account_timezone: UTC }\ndomains: { go.example.com: 3 }\nlinks: { go.example.com/a: { url: https://example.com/ } }\n`,
  });
  const proxy = await startProxy(scenario.sandbox.url, (method, url): Answer => {
    if (url.startsWith("/api/v1/spaces")) return { status: 403, body: '{"message":"No.","status":403}' };
    if (method === "DELETE") return { status: 405, body: '{"message":"No."}' };
    return "forward";
  });
  const { exit, said, document } = await examine(scenario, { baseUrl: proxy });
  expect([exit, document.well]).toEqual([1, false]);
  expect(said).toMatchObject({
    "time zone": "failed: The files say UTC, but the account uses Europe/Berlin. Every date would be wrong.",
    spaces: "warning: The service does not list its spaces for this API key.",
    "delete links": expect.stringMatching(/^failed: The service refuses both paths\. Tested with DELETE /),
    links: "ok: 1 link, 1 request to read them all.",
  });
  const failures = document.checks.filter(({ status }) => status !== "ok");
  expect(failures.every(({ hint }) => hint !== null)).toBe(true);
});

// Fails when the key's trouble is told as the service's, or the other way round.
it("a key that is not taken, and a service that is not there", async () => {
  const scenario = await startDoctor();
  const refused = await examine(scenario, {}, { env: { LINKFORM_API_KEY: "another-key" } });
  expect([refused.exit, refused.said["key"]]).toEqual([
    1,
    "failed: The service rejected GET /api/v1/links (401): Unauthenticated.",
  ]);
  const none = await examine(scenario, {}, { env: { LINKFORM_API_KEY: "" } });
  expect([none.exit, none.said["key"]]).toEqual([1, "failed: The API key is not set."]);
  const page = await startProxy(scenario.sandbox.url, () => ({ status: 404, body: "<h1>Nothing here</h1>" }));
  const other = await examine(scenario, { baseUrl: page });
  expect(other.said["service"]).toBe('failed: The response to GET /api/v1/links (404) is not JSON: "Nothing here"');
});

// Fails when there must be files to look at a service.
it("without files it looks at the address that is named", async () => {
  const scenario = await startDoctor();
  const folder = await temporaryFolder();
  const run = (flags: DoctorFlags): Promise<Ran> => runIn(folder, scenario.env, (world) => doctor(world, flags));
  const named = await run({ baseUrl: scenario.sandbox.url });
  expect([named.exit, named.out]).toEqual([0, expect.stringContaining("All is well.")]);
  expect(named.out).toContain("! files");
  const unnamed = await run({});
  expect([unnamed.exit, unnamed.out]).toEqual([1, expect.stringContaining("The service address is not set.")]);
});

it("names the proxy it goes through, and nothing else of it", async () => {
  const scenario = await startDoctor();
  const env = { HTTP_PROXY: "http://somebody:secret-word@127.0.0.1:9", NO_PROXY: "127.0.0.1" };
  const { said, out } = await examine(scenario, {}, { env });
  expect(said["proxy"]).toBe("ok: Connections go through 127.0.0.1:9, except to hosts in NO_PROXY (127.0.0.1).");
  expect(out).not.toContain("secret-word");
});
