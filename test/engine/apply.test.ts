// The outcome of each change if something goes wrong: every partial change is reported.

import { symlink, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { apply } from "../../src/cli/apply.ts";
import { plan } from "../../src/cli/plan.ts";
import { startProxy, type Answer } from "../support/proxy.ts";
import { runIn, startScenario, temporaryFolder, type Scenario, startWith } from "../support/scenario.ts";

const THREE = `pixels: { Main: { type: bing, value: 1234567 } }
links:
  go.example.com/uses: { url: https://example.com/, pixels: [Main] }
  go.example.com/plain: { url: https://example.com/ }
`;

const ONE = "links: { go.example.com/a: { url: https://example.com/ } }";
const MOVED = "links: { promo.example.com/sale: { url: https://example.com/, renamed_from: go.example.com/sale } }";
const SALE = { url: "https://example.com/", domain: 2, alias: "sale" };
const SERVER_ERROR = { status: 500, body: '{"message":"Server Error"}' };
const DELETED = { status: 200, body: '{"id":1,"object":"link","deleted":true,"status":200}' };

async function applyThrough(
  scenario: Scenario,
  baseUrl: string,
): Promise<{
  exit: number;
  err: string;
  document: {
    changes: { key: string; outcome: string; error: { code: string; message: string; line: number } | null }[];
    result: object;
  };
}> {
  const ran = await runIn(scenario.folder, scenario.env, (world) =>
    apply(world, { yes: true, baseUrl, format: ["json"] }),
  );
  return { exit: ran.exit, err: ran.err, document: JSON.parse(ran.out) };
}

describe("a field that the service refuses", () => {
  it("is shown at its line; the rest is applied; the run ends with 4", async () => {
    // XX and YY match the pattern of the files, but the service does not know them as countries.
    const scenario = await startScenario();
    await scenario.write(
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

  it("alone ends with 1: nothing was applied", async () => {
    const scenario = await startScenario();
    await scenario.write(
      "rules: { unknown-country: warning }\nlinks: { go.example.com/bad: { url: https://example.com/, targeting: { country: { XX: https://example.com/x } } } }",
    );
    expect((await scenario.apply()).exit).toBe(1);
    expect(scenario.sandbox.state().links).toEqual([]);
  });
});

it("a change that needs a failed one is skipped with the reason, and the others are made", async () => {
  const scenario = await startWith(THREE);
  const proxy = await startProxy(scenario.sandbox.url, (method, path) =>
    method === "POST" && path.includes("pixels") ? SERVER_ERROR : "forward",
  );
  const { exit, document } = await applyThrough(scenario, proxy);
  expect(exit).toBe(4);
  expect(document.result).toEqual({ applied: 1, failed: 1, skipped: 1, complete: false });
  expect(document.changes.map(({ key, outcome }) => [key, outcome])).toEqual([
    ["Main", "failed"],
    ["go.example.com/plain", "applied"],
    ["go.example.com/uses", "skipped"],
  ]);
  expect(document.changes[2]?.error?.message).toBe("It depends on the pixel Main, which could not be created.");
  await scenario.converge();
});

it("a lost response is a failure that may have acted: 4, and another run completes it", async () => {
  const scenario = await startWith(ONE);
  const proxy = await startProxy(scenario.sandbox.url, (method) => (method === "POST" ? "drop" : "forward"));
  const { exit, document } = await applyThrough(scenario, proxy);
  expect([exit, document.changes[0]?.outcome]).toEqual([4, "failed"]);
  await scenario.converge();
});

it.each<[string, { files: string; live: (typeof SALE)[]; asked: string; answer: Answer; said: string }]>([
  [
    "a replacement whose old link is not deleted says what is half-done",
    {
      files: MOVED,
      live: [SALE],
      asked: "DELETE",
      answer: SERVER_ERROR,
      said: "`promo.example.com/sale` was created, but `go.example.com/sale` was not deleted.",
    },
  ],
  [
    "a replaced link that the service only says it deleted is found by the second reading",
    {
      files: MOVED,
      live: [SALE],
      asked: "DELETE",
      answer: DELETED,
      said: "`go.example.com/sale` was deleted, but it still exists",
    },
  ],
  [
    "a delete that the service confirms and does not do is found by the second reading",
    {
      files: "absent: { links: [go.example.com/sale] }",
      live: [SALE],
      asked: "DELETE",
      answer: DELETED,
      said: "it still exists",
    },
  ],
  [
    "a row that the service says it stored, and that is not there, is found by the second reading",
    {
      files: ONE,
      live: [],
      asked: "POST",
      answer: { status: 201, body: '{"data":{"id":99},"status":200}' },
      said: "was stored as id 99, but cannot be found",
    },
  ],
])("%s", async (_what, { files, live, asked, answer, said }) => {
  const scenario = await startWith(files, { links: live });
  const proxy = await startProxy(scenario.sandbox.url, (method) => (method === asked ? answer : "forward"));
  const { exit, document } = await applyThrough(scenario, proxy);
  expect(exit).toBe(4);
  expect(document.changes[0]?.error?.message).toContain(said);
});

it("a write that the service accepts and does not keep is found before the next write", async () => {
  const scenario = await startScenario({ seed: { links: [{ url: "https://example.com/", domain: 2, alias: "a" }] } });
  await scenario.write("links:\n  go.example.com/a:\n    url: https://example.com/\n    privacy: private\n");
  const echo = JSON.stringify({ data: { id: 1, privacy: "1" }, status: 200 });
  const proxy = await startProxy(scenario.sandbox.url, (method) =>
    method === "PUT" ? { status: 200, body: echo } : "forward",
  );
  const { exit, document } = await applyThrough(scenario, proxy);
  expect(exit).toBe(4);
  expect(document.changes[0]).toMatchObject({
    outcome: "failed",
    error: { code: "not-as-declared", path: "privacy", line: 8 },
  });
  expect(document.changes[0]?.error?.message).toContain(
    "`privacy` was sent as private, but the service returned public.",
  );
});

it("a key that is refused during the run ends it: the rest is skipped, not tried", async () => {
  const scenario = await startScenario();
  const links = Array.from({ length: 30 }, (_, index) => `go.example.com/l${index}: { url: https://example.com/ }`);
  await scenario.write(`links: { ${links.join(", ")} }`);
  const proxy = await startProxy(scenario.sandbox.url, (method) =>
    method === "POST" ? { status: 401, body: '{"message":"Unauthenticated."}' } : "forward",
  );
  const { exit, document } = await applyThrough(scenario, proxy);
  expect([exit, document.result]).toEqual([1, { applied: 0, failed: 10, skipped: 20, complete: false }]);
  expect(document.changes.at(-1)?.error?.message).toBe("The service no longer accepts the API key.");
});

it("on a limited plan, only values other than the default are sent, so a plain link is accepted", async () => {
  const scenario = await startWith(
    "links: { go.example.com/a: { url: https://example.com/, disabled: false, privacy: public, password: none, expiration: none, targeting: none, pixels: [] } }",
    { account: { features: { disabled: 0, expiration: 0, targeting: 0, password: 0, stats: 0, spaces: 0 } } },
  );
  await scenario.converge();
});

describe("few requests", () => {
  const links = Array.from({ length: 450 }, (_, index) => ({ ...SALE, alias: `row-${index}` }));

  it("twenty deletes try the refused path once, and unchanged fields are not sent", async () => {
    const aliases = Array.from({ length: 20 }, (_, index) => `old-${index}`);
    const scenario = await startWith(
      `brake: { deletes: 100% }\nlinks: { go.example.com/kept: { url: https://example.com/keep, privacy: private } }\nabsent: { links: [${aliases.map((alias) => `go.example.com/${alias}`).join(", ")}] }`,
      {
        links: [
          ...aliases.map((alias) => ({ ...SALE, alias })),
          { url: "https://example.com/keep", domain: 2, alias: "kept" },
        ],
      },
    );
    await scenario.converge();
    const writes = scenario.sandbox.requests.filter(({ method }) => method !== "GET");
    expect(writes.filter(({ path }) => path.endsWith("/destroy"))).toHaveLength(1);
    expect(writes.filter(({ method }) => method === "DELETE")).toHaveLength(21);
    expect(writes.filter(({ method }) => method === "PUT").map(({ body }) => body)).toEqual(["privacy=1"]);
  });

  it("few links of an account of many pages are looked up, and few changes are verified by id", async () => {
    const scenario = await startWith("links: { go.example.com/row-449: { url: https://example.com/new } }", { links });
    const { requests, summary } = await scenario.planDocument();
    expect([requests, summary.unmanaged]).toEqual([{ read: 3, apply: 2, verify: 1 }, null]);
    await scenario.converge();
    expect(scenario.sandbox.requests.filter(({ path }) => path === "/api/v1/links/450")).toHaveLength(3);
  });

  it("a replacement in a large account is verified by both rows", async () => {
    const scenario = await startWith(MOVED.replaceAll("sale", "row-1"), { links });
    const { requests } = await scenario.planDocument();
    const before = scenario.sandbox.requests.length;
    expect((await scenario.apply()).exit).toBe(0);
    expect(scenario.sandbox.requests.length - before).toBe(requests.read + requests.apply + requests.verify);
    expect(requests.verify).toBe(2);
  });
});

describe("before anything is written", () => {
  it("every necessary secret must be set; the message names the variable and the line", async () => {
    const scenario = await startScenario();
    await scenario.write(
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
      const scenario = await startScenario();
      await scenario.write(
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
  const scenario = await startScenario();
  await scenario.write(
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
