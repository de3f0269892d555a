// The outcome of each change if something goes wrong: every partial change is reported.

import { symlink, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { apply } from "../../src/cli/apply.ts";
import { plan } from "../../src/cli/plan.ts";
import { type Answer } from "../support/proxy.ts";
import { runIn, startScenario, temporaryFolder, startWith } from "../support/scenario.ts";
import { documentThrough, SERVER_ERROR, type Act } from "../support/through.ts";

const ONE = "links: { go.example.com/a: { url: https://example.com/ } }";
const MOVED = "links: { promo.example.com/sale: { url: https://example.com/, renamed_from: go.example.com/sale } }";
const SALE = { url: "https://example.com/", domain: 2, alias: "sale" };
const BURIED = "absent: { links: [go.example.com/sale] }";
const STORED = { status: 201, body: '{"data":{"id":99},"status":200}' };
const DELETED = { status: 200, body: '{"id":1,"object":"link","deleted":true,"status":200}' };

it("a field that the service refuses is shown; the rest is applied; the run ends with 4", async () => {
  // XX and YY match the pattern of the files, but the service does not know them as countries.
  const scenario = await startWith(
    "rules: { unknown-country: warning }\nlinks:\n  go.example.com/good: { url: https://example.com/ }\n  go.example.com/bad:\n    url: https://example.com/\n    targeting:\n      country:\n        XX: https://example.com/x\n        DE: https://example.com/de\n        YY: https://example.com/y\n",
  );
  const { exit, out, err } = await scenario.apply({ quiet: false });
  expect(exit).toBe(4);
  const why = "The service rejected targeting.country XX: Invalid country. targeting.country YY: Invalid country.";
  expect(err).toContain(`✗ create link go.example.com/bad failed: ${why}\n`);
  expect(out).toContain("Not all changes were applied: 1 created; 1 failed.\n");
  expect(out).toContain(`✗ create link go.example.com/bad\n    ! error[refused] ${why}\n`);
  expect(scenario.sandbox.state().links.map(({ alias }) => alias)).toEqual(["good"]);
});

it.each<[string, string, string, Answer, string]>([
  ["an old link is not deleted", MOVED, "DELETE", SERVER_ERROR, "created, but `go.example.com/sale` was not deleted."],
  ["a replaced link is only reported as deleted", MOVED, "DELETE", DELETED, "sale` was deleted, but it still exists"],
  ["a link is only reported as deleted", BURIED, "DELETE", DELETED, "it still exists"],
  ["a link is only reported as stored", ONE, "POST", STORED, "was stored as id 99, but cannot be found"],
])(
  "the failure, or the second read, shows what was done in part and what to do: %s",
  async (_what, files, method, answer, said) => {
    const scenario = await startWith(files, { links: files === ONE ? [] : [SALE] });
    const { exit, document } = await documentThrough(scenario, (request) =>
      request.startsWith(method) ? answer : "forward",
    );
    expect(exit).toBe(4);
    const error = { message: expect.stringContaining(said), hint: expect.stringContaining("Run ") };
    expect(document.changes[0]?.error).toMatchObject(error);
  },
);

it("a link that lost a field is reported as created, even if the result of an earlier try is uncertain", async () => {
  const scenario = await startWith(ONE.replace(" }", ", privacy: private }"), { links: [SALE] });
  const answers: Answer[] = [SERVER_ERROR, { ...STORED, body: STORED.body.replace("99", "1") }];
  const { document } = await documentThrough(scenario, (request) =>
    request.startsWith("POST") ? (answers.shift() ?? "forward") : "forward",
  );
  expect(document.changes[0]?.error?.message).toMatch(/^`privacy` was sent as private, but the service returned/);
});

it("a key that is refused during the run ends it: only parallel changes fail, and the rest is skipped, not tried", async () => {
  const links = Array.from({ length: 30 }, (_, index) => `go.example.com/l${index}: { url: https://example.com/ }`);
  const scenario = await startWith(`links: { ${links.join(", ")} }`);
  const refused = { status: 401, body: '{"message":"Unauthenticated."}' };
  const act: Act = (request) => (request.startsWith("POST") ? refused : "forward");
  const { exit, document } = await documentThrough(scenario, act, { concurrency: 3 });
  expect([exit, document.result]).toEqual([1, { applied: 0, failed: 3, skipped: 27, complete: false }]);
  expect(document.changes.at(-1)?.error?.message).toBe("The service no longer accepts the API key.");
});

it("on a limited plan, only values other than the default are sent, so a plain link is accepted", async () => {
  const scenario = await startWith(
    "links: { go.example.com/a: { url: https://example.com/, disabled: false, privacy: public, password: none, expiration: none, targeting: none, pixels: [] } }",
    { account: { features: { disabled: 0, expiration: 0, targeting: 0, password: 0, stats: 0, spaces: 0 } } },
  );
  await scenario.converge();
});

it("a replacement in a large account is verified by both rows", async () => {
  const links = Array.from({ length: 450 }, (_, index) => ({ ...SALE, alias: `row-${index}` }));
  const scenario = await startWith(MOVED.replaceAll("sale", "row-1"), { links });
  const { requests } = await scenario.planDocument();
  const before = scenario.sandbox.requests.length;
  expect((await scenario.apply()).exit).toBe(0);
  expect(scenario.sandbox.requests.length - before).toBe(requests.read + requests.apply + requests.verify);
  expect(requests.verify).toBe(2);
});

describe("before anything is written", () => {
  it("every necessary secret must be set; the message names the variable and the line", async () => {
    const scenario = await startWith(
      "links:\n  go.example.com/a: { url: https://example.com/, password: { env: LINKFORM_SECRET_NOT_SET } }\n  go.example.com/b: { url: https://example.com/, password: { file: missing.txt } }\n  go.example.com/c: { url: https://example.com/ }\n",
    );
    const err = await scenario.refused();
    expect(err).toMatch(/^error\[secret-missing\] LINKFORM_SECRET_NOT_SET .*\n +--> linkform\.yaml:6:\d+\n/m);
    expect(err).toMatch(/^error\[secret-missing\] The file missing\.txt .*\n +--> linkform\.yaml:7:\d+\n/m);
  });

  it.each([
    ["0", "secret-ignored"],
    [" \t ", "secret-unusable"],
    ["two\nlines", "secret-unusable"],
    ["pass\n", "secret-unusable"],
    ["pass\u0000word", "secret-unusable"],
    // The service counts characters, not bytes.
    ["😀".repeat(129), "secret-too-long"],
  ])("a secret that would leave the link open, or that nobody can type, is refused: %j", async (text, code) => {
    for (const field of ["password", "privacy: password, privacy_password"]) {
      const scenario = await startWith(
        `links: { go.example.com/a: { url: https://example.com/, ${field}: { env: LINKFORM_SECRET_A } } }`,
      );
      const env = { ...scenario.env, LINKFORM_SECRET_A: text };
      const { exit, err } = await runIn(scenario.folder, env, (world) => apply(world, { yes: true, quiet: true }));
      expect([exit, scenario.writes()]).toEqual([1, []]);
      expect(err).toContain(`error[${code}] LINKFORM_SECRET_A `);
      if (text.length > 1) expect(err).not.toContain(text);
    }
  });

  it("the file of a secret may end in one line break and start with a byte order mark, and no more", async () => {
    const scenario = await startScenario();
    const file = join(scenario.folder, "secret.txt");
    const longest = "😀".repeat(128);
    await scenario.write("links: { go.example.com/a: { url: https://example.com/, password: { file: secret.txt } } }");
    for (const [bytes, code] of [
      ["0\r\n", "secret-ignored"],
      ["\uFEFF0", "secret-ignored"],
      ["pass\n\n", "secret-unusable"],
      [Buffer.from([0x70, 0xe4, 0x73]), "secret-unusable"],
      [`${longest}x`, "secret-too-long"],
    ] as const) {
      await writeFile(file, bytes);
      expect(await scenario.refused()).toContain(`error[${code}] secret.txt `);
    }
    await writeFile(file, `\uFEFF${longest}\r\n`);
    await scenario.converge();
    expect(scenario.link("a").password).toBe(longest);
  });

  it("a secret that no change needs may be missing", async () => {
    const scenario = await startWith(
      "links: { go.example.com/a: { url: https://example.com/new, password: { env: LINKFORM_SECRET_NOT_SET } } }",
      { links: [{ url: "https://example.com/", domain: 2, alias: "a", password: "set" }] },
    );
    expect((await scenario.apply()).exit).toBe(0);
  });

  it("the file of a secret outside the project is not read, named or linked to", async () => {
    const scenario = await startScenario();
    const outside = join(await temporaryFolder(), "outside.txt");
    await writeFile(outside, "not for this project");
    await symlink(outside, join(scenario.folder, "inside.txt"));
    for (const [file, code] of [
      [relative(scenario.folder, outside), "wrong-type"],
      ["inside.txt", "secret-missing"],
    ]) {
      await scenario.write(`links: { go.example.com/a: { url: https://example.com/, password: { file: ${file} } } }`);
      expect(await scenario.refused()).toContain(code);
    }
  });
});

it("plan and apply print no secret and no key", async () => {
  const scenario = await startWith(
    "links: { go.example.com/a: { url: https://example.com/, password: { env: LINKFORM_SECRET_A }, privacy: password, privacy_password: { env: LINKFORM_SECRET_B } } }",
  );
  const printed = [
    await runIn(scenario.folder, scenario.env, (world) => plan(world, { verbose: true })),
    await runIn(scenario.folder, scenario.env, (world) => plan(world, { format: ["json"], verbose: true })),
    await runIn(scenario.folder, scenario.env, (world) => apply(world, { yes: true, verbose: true, format: ["json"] })),
    await runIn(scenario.folder, { ...scenario.env, LINKFORM_API_KEY: "wrong-key" }, (world) =>
      plan(world, { verbose: true }),
    ),
  ];
  expect(scenario.link("a")).toMatchObject({ password: "first secret", privacy_password: "second secret" });
  expect(JSON.stringify(printed)).not.toMatch(/first secret|second secret|sandbox-key|wrong-key/);
});

it("a secret is hidden where the line of a failed change is cut", async () => {
  const start = '  go.example.com/a: { url: https://example.com/, note: "'.padEnd(157, "x");
  const scenario = await startWith(`links:\n${start}first secret${"x".repeat(80)}" }\n`);
  const { document } = await documentThrough(scenario, (request) =>
    request.startsWith("POST") ? { status: 403, body: '{"message":"No."}' } : "forward",
  );
  expect(document.changes[0]?.error?.excerpt?.[0]?.after).toMatch(/x\(hidd…$/);
});

// Fails if an apply that withholds every change reports that everything matches the files.
it("an apply that withholds everything reports it", async () => {
  const seed = { links: [{ alias: "a", domain: 2, url: "https://example.com/before" }] };
  const scenario = await startWith("allow: [create]\nlinks: { go.example.com/a: { url: https://example.com/ } }", seed);
  const { exit, out } = await scenario.apply();
  expect([exit, out, scenario.writes()]).toEqual([
    0,
    "All changes are left out.\nIncomplete: 1 change not allowed by `allow` in the project file.\n",
    [],
  ]);
});
