// Every field of links and pixels on every version: create with it, change it, clear it. After each apply, the plan is empty and the
// service has the declared state. Fails if any kind is read, compared or written wrongly.

import { describe, expect, it } from "vitest";
import { SOFTWARE, type Software } from "../../src/domain/software.ts";
import { fieldAt, FIELDS } from "../../src/domain/table.ts";
import { wireOf } from "../../src/domain/wire.ts";
import { testSoftware as software, where } from "../support/sandbox.ts";
import { startScenario, writeFiles, type Scenario, startWith } from "../support/scenario.ts";

/** Lines of the link's block, and a part of the record that is stored then. */
type Step = readonly [lines: string, stored: object];

interface FieldCase {
  /** The entry of the field table. */
  readonly path: string;
  /** At first, then changed, then cleared: without a line if that clears the field, with the word if it does not open the link. */
  readonly steps: readonly [Step, Step, Step];
  /** Other lines of the block, in all steps. */
  readonly beside?: string;
  /** The versions for this case; by default all that have the field. */
  readonly versions?: readonly Software[];
}

const destinations = (...pairs: readonly [string, string][]): object[] =>
  pairs.map(([key, end]) => ({ key, value: `https://example.com/${end}` }));
const rotation = (...ends: readonly string[]): object[] => ends.map((end) => ({ value: `https://example.com/${end}` }));

/** A case of an entry of the field table. */
function steps(path: string, first: Step, second: Step, cleared: Step, more: Partial<FieldCase> = {}): FieldCase {
  return { path, steps: [first, second, cleared], ...more };
}

/** A case of a target group, by the ends of its destinations. The service sorts a group by key. */
function group(name: string, type: number, first: object, second: object, cleared: string): FieldCase {
  const declared = (ends: object): string =>
    `targeting: { ${name}: ${JSON.stringify(ends, (_, end) => (typeof end === "string" ? `https://example.com/${end}` : end))} }`;
  const stored = (ends: object): object[] =>
    Array.isArray(ends)
      ? rotation(...ends)
      : destinations(...Object.entries(ends).toSorted(([one], [other]) => (one < other ? -1 : 1)));
  return steps(
    `targeting.${name}`,
    [declared(first), { target_type: type, [name]: stored(first) }],
    [declared(second), { target_type: type, [name]: stored(second) }],
    [cleared, { target_type: 0 }],
  );
}

const [URL_1, URL_2] = ["https://example.com/a?x=1&y=%20+ü", "https://example.com/b"];
const [OVER, GONE] = ["https://example.com/over", "https://example.com/gone"];
// Secrets are compared by presence, so another source alone is no change.
const KEPT = "first secret";
const [DE, R] = ["country: { DE: https://example.com/de }", "rotation: [https://example.com/r]"];
const BOTH = `${DE}, ${R}`;
const [SECRET_A, SECRET_B] = ["{ env: LINKFORM_SECRET_A }", "{ env: LINKFORM_SECRET_B }"];

const LINK_CASES: readonly FieldCase[] = [
  steps("url", [`url: ${URL_1}`, { url: URL_1 }], [`url: ${URL_2}`, { url: URL_2 }], [`url: ${URL_2}`, {}]),
  steps(
    "password",
    [`password: ${SECRET_A}`, { password: KEPT }],
    ["password: { file: secret.txt }", { password: KEPT }],
    ["password: none", { password: null }],
  ),
  steps("space", ["space: Marketing", { space: 1 }], ["space: Sales", { space: 2 }], ["", { space: null }]),
  steps(
    "pixels",
    ["pixels: [Zwei, Eins]", { pixels: [1, 2] }],
    ["pixels: [Eins]", { pixels: [1] }],
    ["", { pixels: [] }],
  ),
  steps("disabled", ["disabled: true", { disabled: 1 }], ["disabled: false", { disabled: 0 }], ["disabled: false", {}]),
  steps(
    "privacy",
    ["privacy: private", { privacy: 1 }],
    ["privacy: password", { privacy: 2 }],
    ["privacy: public", { privacy: 0 }],
  ),
  steps(
    "privacy_password",
    [`privacy_password: ${SECRET_A}`, { privacy_password: KEPT }],
    [`privacy_password: ${SECRET_B}`, { privacy_password: KEPT }],
    ["privacy_password: none", { privacy_password: null, privacy: 2 }],
    { beside: "privacy: password" },
  ),
  steps(
    "expiration.date",
    ["expiration: { date: 2027-03-31 }", { ends_at: "2027-03-31T23:59:00.000Z" }],
    ['expiration: { date: 2027-10-31, time: "02:30" }', { ends_at: "2027-10-31T02:30:00.000Z" }],
    ["", { ends_at: null }],
  ),
  steps(
    "expiration.clicks",
    ["expiration: { clicks: 5000 }", { expiration_clicks: 5000 }],
    ["expiration: { clicks: 1 }", { expiration_clicks: 1 }],
    ["expiration: { clicks: none }", { expiration_clicks: null }],
  ),
  steps(
    "expiration.url",
    [`expiration: { url: ${OVER} }`, { expiration_url: OVER }],
    [`expiration: { url: ${GONE} }`, { expiration_url: GONE }],
    ["", { expiration_url: null }],
  ),
  steps("sensitive", ["sensitive: true", { sensitive: 1 }], ["sensitive: false", {}], ["", {}]),
  steps(
    "expiration.start",
    [
      "expiration: { start: 2026-03-31 }",
      { starts_at: "2026-03-31T00:00:00.000Z", ends_at: "2037-12-30T23:59:00.000Z" },
    ],
    [
      'expiration: { start: 2026-03-31, start_time: "10:30", date: 2027-03-31 }',
      { starts_at: "2026-03-31T10:30:00.000Z", ends_at: "2027-03-31T23:59:00.000Z" },
    ],
    ["expiration: none", { ends_at: null }],
  ),
  steps(
    "targeting.active",
    [`targeting: { ${DE} }`, { target_type: 1, country: destinations(["DE", "de"]) }],
    [`targeting: { ${R} }`, { target_type: 4, country: null, rotation: rotation("r") }],
    ["", { target_type: 0, rotation: [] }],
    { versions: ["49"] },
  ),
  steps(
    "targeting.active",
    [`targeting: { ${BOTH}, active: country }`, { target_type: 1 }],
    [`targeting: { ${BOTH}, active: none }`, { target_type: 0, country: destinations(["DE", "de"]) }],
    ["", { target_type: 0, country: [] }],
    { versions: ["4.1", "4.9", "44"] },
  ),
  group("continent", 5, { EU: "1", NA: "2" }, { EU: "3" }, "targeting: none"),
  group("browser", 6, { Safari: "2", Firefox: "1" }, { Firefox: "3" }, "targeting: none"),
  group("device", 7, { mobile: "1", desktop: "2" }, { mobile: "3" }, "targeting: none"),
  group("country", 1, { FR: "fr", DE: "de" }, { DE: "de2" }, "targeting: none"),
  group("platform", 2, { iOS: "i", "OS X": "x" }, { "Chrome OS": "c" }, "targeting: null"),
  group("language", 3, { de: "de" }, { fr: "fr", de: "de" }, ""),
  group("rotation", 4, ["b", "a"], ["a", "b"], ""),
];

const PIXELS = `pixels:
  Eins: { type: facebook, value: "1234567890123456" }
  Zwei: { type: bing, value: "1234567" }
`;

const hasField = ({ path, versions = SOFTWARE }: FieldCase, version: Software): boolean => {
  const row = fieldAt("link", path);
  return versions.includes(version) && row !== undefined && wireOf(row, version) !== null;
};
const aliasOf = ({ path }: FieldCase): string => path.replaceAll(".", "-");

/** The block of a case, which declares these lines. */
function blockOf(fieldCase: FieldCase, lines: string): string {
  const url = lines.startsWith("url:") ? "" : "    url: https://example.com/page\n";
  const block = [fieldCase.beside ?? "", lines].filter((line) => line !== "").map((line) => `    ${line}\n`);
  return `  go.example.com/${aliasOf(fieldCase)}:\n${url}${block.join("")}`;
}

// The sandbox answers as each version did (test/contract), so a name or form that a version does not know is noticed here.
describe.each(SOFTWARE)("on %s", (version) => {
  it("every field of a link: create, change, clear", { timeout: 60_000 }, async () => {
    const cases = LINK_CASES.filter((one) => hasField(one, version));
    const scenario = await startScenario({ software: version });
    for (const step of [0, 1, 2] as const) {
      const blocks = cases.map((one) => blockOf(one, one.steps[step][0]));
      const text = `brake: { updates: 100% }\n${PIXELS}links:\n${blocks.join("")}`;
      await scenario.write(text, { "secret.txt": "from a file\n" });
      await scenario.converge();
      for (const one of cases)
        expect([one.path, scenario.link(aliasOf(one))]).toMatchObject([one.path, one.steps[step][1]]);
    }
    const isOdd = (name: string, at: number, names: readonly string[]): boolean =>
      name === "rotation[0][key]" || (!name.endsWith("[]") && names.indexOf(name) < at);
    const sent = scenario.sandbox.requests.map(({ body }) => [...new URLSearchParams(body).keys()]);
    expect(sent.flatMap((names) => names.filter(isOdd))).toEqual([]);
  });

  it("pixel type and value: create, change", async () => {
    const scenario = await startScenario({ software: version });
    for (const [type, value] of [
      ["facebook", "1234567890123456"],
      ["google-analytics", "G-ABCDE12345"],
      ["google-analytics", "0042"],
      ["twitter", "o1abc"],
    ]) {
      await scenario.write(`pixels: { Main: { type: ${type}, value: ${value} } }`);
      await scenario.converge();
      expect(scenario.sandbox.state().pixels).toMatchObject([{ id: 1, name: "Main", type, value }]);
    }
    await scenario.write("pixels: { Main: { type: x, value: o1abc } }");
    expect((await scenario.planDocument()).changes).toEqual([]);
  });
});

it.each(LINK_CASES.filter(({ path }) => !LINK_CASES.some((one) => one.path === path && hasField(one, software))))(
  "$path, which the tested version lacks: an error where the file says it, and no write",
  async (fieldCase) => {
    const scenario = await startWith(`${PIXELS}links:\n${blockOf(fieldCase, fieldCase.steps[0][0])}`);
    const err = await scenario.refused();
    expect(err).toContain(`error[not-in-version] Version ${software} of the service has no \`${fieldCase.path}\`.`);
    expect(err.match(/error\[/g)).toHaveLength(1);
    expect(err).toMatch(/--> linkform.yaml:11:\d+/);
  },
);

const TARGETS = Array.from({ length: 101 }, (_, at) => `B${at}: https://example.com/${at}`).join(", ");

it.each([
  [
    "targeting: { country: { DE: https://example.com/ }, active: none }",
    "stores only the active target group, and `targeting.country` is not active.",
  ],
  [
    `targeting: { browser: { ${TARGETS} } }`,
    "stores at most 100 entries in a target group, and `targeting.browser` has 101.",
  ],
  ["expiration: { date: 2037-12-31 }", "cannot store this `expiration.date`."],
])("version 49 cannot express %s", async (lines, says) => {
  const scenario = await startWith(
    `links:\n  go.example.com/field:\n    url: https://example.com/\n    ${lines}\n`,
    {},
    { software: "49" },
  );
  const err = await scenario.refused();
  expect(err).toContain(`error[not-in-version] Version 49 of the service ${says}`);
  expect(err).toContain("--> linkform.yaml:8:");
});

// Fails if the place of the error is the group that it advises to keep.
it.each(["country", "rotation"])("of two groups, the one that is not active is the error: %s", async (active) => {
  const scenario = await startScenario({ software: "49" });
  const groups = { country: "country: { DE: https://example.com/ }", rotation: "rotation: [https://example.com/r]" };
  await scenario.write(
    `links:\n  go.example.com/field:\n    url: https://example.com/\n    targeting:\n      ${groups.country}\n      ${groups.rotation}\n      active: ${active}\n`,
  );
  const { err } = await scenario.apply();
  expect(err).toContain(`--> linkform.yaml:${active === "country" ? 10 : 9}:`);
  expect(err).toContain("Version 49 of the service stores one target group for each link, and this link has 2.");
  expect(err).toContain(`Keep only \`targeting.${active}\`.`);
});

it("every field of a block has a case", () => {
  const covered = new Set([...LINK_CASES.map(({ path }) => path), "domain", "alias"]);
  expect(FIELDS.link.map(({ path }) => path).filter((path) => !covered.has(path))).toEqual([]);
});

/** A project with one link; `more` is added to its block. */
const fileOf = (more: string, head = ""): string =>
  `${head}links: { go.example.com/field: { url: https://example.com/, ${more} } }`;

/** The same with an expiration at a local time in a zone. */
function fileUntil(zone: string, wall: string): string {
  const [date, time] = wall.split(" ");
  return fileOf(`expiration: { date: ${date}, time: "${time}" }`, `timezone: ${zone}\n`);
}

async function dated(scenario: Scenario, zone: string, wall: string): Promise<void> {
  await scenario.write(fileUntil(zone, wall));
  await scenario.converge();
}

describe("an expiration", () => {
  it("is in the files' zone, sent in the account's, and compared as one instant", async () => {
    const scenario = await startScenario({ timezone: "America/New_York" });
    await dated(scenario, "Europe/Berlin", "2027-07-01 01:00");
    expect(scenario.link("field").ends_at).toBe("2027-06-30T23:00:00.000Z");
    // The same instant in another zone is no change.
    await scenario.write(fileUntil("UTC", "2027-06-30 23:00"));
    expect((await scenario.planDocument()).changes).toEqual([]);
  });

  it("in the night of a clock change means what the service stores", async () => {
    const scenario = await startScenario({ timezone: "Europe/Berlin" });
    await dated(scenario, "Europe/Berlin", "2027-03-28 02:30");
    expect(scenario.link("field").ends_at).toBe("2027-03-28T01:30:00.000Z");
  });

  it.each([
    ["Europe/Berlin", "Europe/Berlin", "2027-10-31 02:00"],
    ["Europe/Berlin", "UTC", "2027-10-31 00:00"],
    ["America/New_York", "America/Chicago", "2027-11-07 00:30"],
    ["Australia/Lord_Howe", "UTC", "2027-04-03 14:30"],
  ])("in an hour that occurs twice in %s is refused in files of %s: %s", async (account, zone, wall) => {
    const scenario = await startWith(fileUntil(zone, wall), {}, { timezone: account });
    expect(await scenario.refused()).toContain("date-twice");
  });

  it.each([
    ["Europe/Berlin", "2027-10-30 23:59"],
    ["Europe/Berlin", "2027-10-31 02:00"],
    ["Australia/Lord_Howe", "2027-04-03 15:30"],
  ])("next to an hour that occurs twice in %s is stored: %s UTC", async (timezone, wall) => {
    const scenario = await startScenario({ timezone });
    await dated(scenario, "UTC", wall);
    expect(scenario.link("field").ends_at).toBe(`${wall.replace(" ", "T")}:00.000Z`);
  });

  it.each([
    ["the first", "2027-10-31T00:30:00.000Z"],
    ["the second", "2027-10-31T01:30:00.000Z"],
  ])("that occurs twice and is live, %s, is not sent", async (_, ends_at) => {
    const links = [{ url: "https://example.com/", domain: 2, alias: "field", ends_at }];
    const file = fileOf('expiration: { date: 2027-10-31, time: "02:30" }');
    const scenario = await startWith(file, { links }, { timezone: "Europe/Berlin" });
    const { changes, diagnostics } = await scenario.planDocument();
    expect([changes, diagnostics]).toEqual([[], []]);
    await scenario.write(file.replace("example.com/,", "example.com/other,"));
    expect((await scenario.apply()).exit).toBe(0);
    expect(scenario.link("field")).toMatchObject({ url: "https://example.com/other", ends_at });
  });

  it("that occurs twice is refused in version 49 if a change of its start would send it again", async () => {
    const period = { starts_at: "2026-12-01T00:00:00.000Z", ends_at: "2027-10-31T00:30:00.000Z" };
    const links = [{ url: "https://example.com/", domain: 2, alias: "field", ...period }];
    const file = fileOf("unspecified: keep, expiration: { start: 2027-01-01 }");
    const scenario = await startWith(file, { links }, { timezone: "Europe/Berlin", software: "49" });
    expect(await scenario.refused()).toContain(
      "`expiration.date` (2027-10-31 02:30) is in an hour that occurs twice in Europe/Berlin",
    );
  });
});

const LAST_DATES: readonly [string, string, string, null][] = [
  ["Pacific/Auckland", "UTC", '2038-01-19, time: "03:14"', null],
  ["America/New_York", "UTC", '2038-01-19, time: "03:14"', null],
  ["America/New_York", "America/New_York", '2038-01-18, time: "22:14"', null],
  ["Pacific/Auckland", "Pacific/Auckland", '2038-01-19, time: "16:14"', null],
];

it.each<[string, string, string, string | null]>([
  ...where("dates in 2038", LAST_DATES),
  ["UTC", "UTC", '2038-01-19, time: "03:15"', "date-out-of-range"],
  ["UTC", "UTC", "1969-12-31", "date-out-of-range"],
  ["Pacific/Auckland", "UTC", '2038-01-19, time: "03:15"', "date-out-of-range"],
  ["America/New_York", "America/New_York", "2038-01-18", "date-out-of-range"],
])("an account in %s, files in %s: %s ends in %s", async (timezone, files, date, code) => {
  const file = fileOf(`expiration: { date: ${date} }`, `timezone: ${files}\n`);
  const scenario = await startWith(file, {}, { timezone });
  if (code === null) {
    await scenario.converge();
    return;
  }
  expect(await scenario.refused()).toContain(code);
});

it.each([
  ["Europe/Kiev", "Europe/Kyiv", 0],
  ["Europe/Berlin", "Europe/Vienna", 1],
])("the files declare the account's zone as %s, and it is %s", async (declared, timezone, exit) => {
  const scenario = await startScenario({ timezone });
  await writeFiles(scenario.folder, {
    "linkform.yaml": `version: 1\nservice: { base_url: "${scenario.sandbox.url}", account_timezone: ${declared} }\ndomains: { go.example.com: 2 }\nlinks: { go.example.com/field: { url: https://example.com/, expiration: { date: 2027-03-31 } } }\n`,
  });
  const ran = await scenario.apply();
  expect([ran.exit, scenario.writes().length]).toEqual([exit, 1 - exit]);
  if (exit === 1) expect(ran.err).toMatch(/wrong-account-zone\] .*Europe\/Berlin.*Europe\/Vienna/);
});

it("from private with an old statistics password to password without one takes two calls", async () => {
  const links = [{ url: "https://example.com/", domain: 2, alias: "field", privacy: 1, privacy_password: "old" }];
  const scenario = await startWith(fileOf("privacy: password, privacy_password: none"), { links });
  // Two writes, a read between them, and one after the first update.
  expect((await scenario.planDocument()).requests.apply).toBe(4);
  await scenario.converge();
  expect(scenario.link("field")).toMatchObject({ privacy: 2, privacy_password: null });
  expect(scenario.writes()).toEqual(["PUT /api/v1/links/1", "PUT /api/v1/links/1"]);
});
