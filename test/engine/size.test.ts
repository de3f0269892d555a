// The plan refuses values that the service would truncate or answer with a 500 (docs/service.md, "Size limits").

import { expect, it } from "vitest";
import { itWhere, where } from "../support/sandbox.ts";
import { startScenario, startWith } from "../support/scenario.ts";

const LINK = "links:\n  go.example.com/a:\n    url: https://example.com/\n";

const rotation = (count: number): string =>
  `    targeting:\n      rotation:\n${Array.from({ length: count }, (_, at) => `        - https://example.com/${at}\n`).join("")}`;

// Fails if an update counts fields that it does not send.
itWhere("groups of over 100 entries")("an update counts only what it sends", async () => {
  const scenario = await startWith(`${LINK}${rotation(996)}`);
  await scenario.converge();
  await scenario.write(`links:\n  go.example.com/a:\n    url: https://example.com/2\n${rotation(996)}`);
  await scenario.converge();
});

// Fails if a kind of field counts for more or fewer variables than it sends. The sandbox reads the first 1,000.
it.each(
  where("groups of over 100 entries", [
    [500, null],
    [501, "`go.example.com/a` needs 1001 form variables. The service reads 1000 and silently ignores the rest."],
  ]),
)("every kind of field counts as it is sent: with a rotation of %i", async (count, message) => {
  const countries = ["AT", "BE", "CH", "DE", "ES", "FR", "GR", "HU", "IE", "IT"];
  const platforms = ["iOS", "Android"];
  const groupOf = (keys: readonly string[]): string =>
    keys.map((one) => `        ${one}: https://example.com/${one}\n`).join("");
  const pixels = Array.from({ length: 463 }, (_, at) => ({ id: at + 1, name: `P${at}`, type: "bing", value: "1" }));
  const scenario = await startScenario({ seed: { pixels } });
  await scenario.write(`rules: { pixels-skip-targeting: off }
links:
  go.example.com/a:
    url: https://example.com/
    space: Sales
    disabled: true
    privacy: password
    privacy_password: { env: LINKFORM_SECRET_A }
    password: { env: LINKFORM_SECRET_B }
    expiration: { date: 2027-03-01, clicks: 5, url: https://example.com/over }
    pixels: [${pixels.map(({ name }) => name).join(", ")}]
${rotation(count)}      country:
${groupOf(countries)}      platform:
${groupOf(platforms)}      active: rotation
`);
  const { diagnostics } = await scenario.planDocument();
  if (message !== null) {
    const hint = "Shorten `targeting.rotation`, which needs 501 of them.";
    return expect(diagnostics).toMatchObject([{ code: "too-many-variables", message, line: 18, hint }]);
  }
  expect(diagnostics).toEqual([]);
  await scenario.converge();
  const stored = scenario.sandbox.requests.find(({ method }) => method === "POST");
  expect(new URLSearchParams(stored?.body).size).toBe(1000);
});

const MOST_BYTES = 65_535;

/** The errors of a link with these lines of a target group. If there are none, it is applied. */
async function errorsOf(group: string, lines: readonly string[]): Promise<string[]> {
  const scenario = await startWith(`${LINK}    targeting:\n      ${group}:\n${lines.join("")}`);
  const { diagnostics } = await scenario.planDocument();
  if (diagnostics.length === 0) await scenario.converge();
  return diagnostics.map(({ code, message }) => `${code} ${message}`);
}

/** A group of this number of bytes is too large if it exceeds the limit, and the error must show the number. */
const tooLarge = (bytes: number): unknown[] =>
  bytes > MOST_BYTES ? [expect.stringMatching(`^group-too-large .*needs ${bytes} bytes`)] : [];

/** The stored bytes of a rotation entry without its URL, and of the list around the entries. */
const [ENTRY, AROUND] = ['{"value":""},'.length, "[]".length - 1];

// Fails if the limit is off by one, or if the bytes of the file are counted: the service stores slashes and non-ASCII letters escaped.
it.each([MOST_BYTES, MOST_BYTES + 1])("a rotation of %i bytes", async (bytes) => {
  const address = `https://example.com/${"/".repeat(300)}${"ü".repeat(100)}`;
  const each =
    ENTRY + JSON.stringify(address).length - 2 + (address.match(/\//g)?.length ?? 0) + 100 * ("\\u00fc".length - 1);
  const count = Math.floor((bytes - AROUND) / each) - 1;
  const last = `https://example.com/${"x".repeat(bytes - AROUND - count * each - ENTRY - "https://example.com/".length - 3)}`;
  const entries = [...Array.from({ length: count }, () => address), last].map((one) => `        - ${one}\n`);
  expect(await errorsOf("rotation", entries)).toEqual(tooLarge(bytes));
});

// Fails if groups by country, platform or language have no limit, or if their keys are not counted.
it.each([MOST_BYTES, MOST_BYTES + 1])("a group by language of %i bytes", async (bytes) => {
  const languages = ["de", "en", "es", "fr", "it", "nl", "pl", "pt", "ru", "sv", "da", "fi", "no", "cs", "hu", "el"];
  const more = ["tr", "ja", "ko", "zh", "ar", "he", "hi", "th", "vi", "id", "uk", "ro", "bg", "hr", "sk", "sl", "et"];
  const keys = [...languages, ...more];
  const entry = '{"key":"de","value":"https:\\/\\/example.com\\/"},'.length;
  const left = bytes - AROUND - keys.length * entry;
  const share = Math.floor(left / keys.length);
  const lines = keys.map((key, at) => {
    const length = at === 0 ? left - share * (keys.length - 1) : share;
    return `        "${key}": https://example.com/${"x".repeat(length)}\n`;
  });
  expect(await errorsOf("language", lines)).toEqual(tooLarge(bytes));
});
