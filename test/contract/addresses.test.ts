// The addresses that the service stores (docs/service.md, "Addresses"): `validate` and the sandbox, which shares no code with it, must agree
// for the addresses that were tried on running instances (addresses.json) and for random ones.

import * as fc from "fast-check";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { openFolder } from "../../src/config/checkout.ts";
import { loadFrom } from "../../src/config/load.ts";
import { addressProblem, meantBy } from "../../src/domain/address.ts";
import { SOFTWARE, startSandbox, type Software } from "../../src/sandbox/index.ts";
import { accountOf } from "../sandbox/client.ts";
import { temporaryFolder, writeFiles } from "../support/scenario.ts";
import { runs } from "../support/states.ts";

const RUNS = runs(500);

const MEASURED: { accepted: string[]; refused: string[] } = JSON.parse(
  readFileSync(new URL("addresses.json", import.meta.url), "utf8"),
);
const measured = [...MEASURED.accepted, ...MEASURED.refused];

/** The fields of a link that hold an address, and a destination of a family. */
const FIELDS = {
  url: (address: string) => ({ url: address }),
  "expiration.url": (address: string) => ({ url: "https://example.com/", expiration: { url: address } }),
  country: (address: string) => ({ url: "https://example.com/", targeting: { country: { DE: address } } }),
  rotation: (address: string) => ({ url: "https://example.com/", targeting: { rotation: [address] } }),
  family: (address: string) => ({ url: address, for: { channel: ["mail"] } }),
} as const;

/** The addresses that `validate` refuses in this field. */
async function refusedInFiles(addresses: readonly string[], field: keyof typeof FIELDS): Promise<string[]> {
  const folder = await temporaryFolder();
  const section = field === "family" ? "families" : "links";
  const blocks = addresses.map((one, at) => {
    const key = field === "family" ? `go.example.com/a${at}-{channel}` : `go.example.com/a${at}`;
    return `${JSON.stringify(key)}: ${JSON.stringify(FIELDS[field](one))}`;
  });
  await writeFiles(folder, {
    "linkform.yaml": "version: 1\nservice: { base_url: https://short.example.com }\nfiles: [all.json]\n",
    "all.json": `{ "${section}": {\n${blocks.join(",\n")}\n} }`,
  });
  const { diagnostics } = await loadFrom(await openFolder(folder), "linkform.yaml", { now: null });
  // In a family, braces are placeholders.
  const errors = diagnostics.filter(({ code }) => code === "refused-address" || code === "family-placeholder");
  const lines = new Set(errors.map(({ place }) => place?.line));
  return addresses.filter((_, at) => lines.has(at + 2));
}

/** The addresses that the sandbox refuses in a rotation. */
async function refusedBySandbox(addresses: readonly string[], software: Software = "4.1"): Promise<string[]> {
  const sandbox = await startSandbox({
    rateLimit: 0,
    software,
    seed: { links: [{ url: "https://example.com/", domain: 2, alias: "a" }] },
  });
  const refused: string[] = [];
  try {
    for (let from = 0; from < addresses.length; from += 100) {
      const sent = addresses.slice(from, from + 100);
      const form = sent.map((one, at) => {
        const [field, key] = software === "49" ? ["targets", "&targets_type=rotation"] : ["rotation", ""];
        return `${field}[${at}][value]=${encodeURIComponent(one)}${key}`;
      });
      const { status, body } = await accountOf(sandbox).put("links/1", form.join("&"));
      const { message = {} } = status === 422 && typeof body === "object" ? Object(body) : {};
      const numbers = Object.keys(message).map((field) => Number(/\.(\d+)\.value$/.exec(field)?.[1]));
      refused.push(...sent.filter((_, at) => numbers.includes(at)));
    }
  } finally {
    await sandbox.close();
  }
  return refused;
}

// Fails if `validate` lets an address pass that the service refuses, or refuses one that it stores.
test.each(Object.keys(FIELDS).filter((one): one is keyof typeof FIELDS => one in FIELDS))(
  "validate refuses exactly the measured addresses in %s",
  async (field) => {
    expect(await refusedInFiles(measured, field)).toEqual(MEASURED.refused);
  },
);

// Fails if a version of the sandbox stores what the service refuses, or the other way round.
test.each(SOFTWARE)("the sandbox as %s refuses exactly the measured addresses", async (software) => {
  expect(await refusedBySandbox(measured, software)).toEqual(MEASURED.refused);
});

const ASCII = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
/** At least one character of each Unicode category, and of each kind that is easily confused. */
const OTHERS = [
  ..."äßÉжя日本あ한ﺍनहıſ٣²Ⅷ€£+∑→🎁😀©–—“’«¿ـ·\u0301\u093f\u0e34\u20e3\u0903\u00a0\u2003\u3000\u2028\u2029",
  ..."\u200b\u200d\ufeff\u00ad\u202e\u0085\ue000\u0378\u{1f1e9}\u{1f1ea}",
];
const piece = fc.oneof(
  fc.constantFrom(..."aZ09-._~/?#[]@!$&'()*+,;=:%"),
  fc.constantFrom("%20", "%C3%BC", "%zz", "%4", "//", "..", "::1", "u:p@", "[::1]", ":8443", ":99999", "e\u0301"),
  fc.constantFrom(...ASCII, ...OTHERS),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }),
);
const edit = fc.record({ at: fc.nat(), removed: fc.nat({ max: 2 }), added: fc.array(piece, { maxLength: 2 }) });
/** A measured address with one or two edits anywhere. */
const address = fc
  .tuple(fc.constantFrom(...measured), fc.array(edit, { minLength: 1, maxLength: 2 }))
  .map(([text, edits]) => {
    const characters = [...text];
    for (const { at, removed, added } of edits) characters.splice(at % (characters.length + 1), removed, ...added);
    // linkform sends the text of the file without outer spaces.
    return characters.join("").trim();
  })
  // An empty text is not an address.
  .filter((text) => text !== "" && !/[\0\v]$|^[\0\v]/.test(text));

// Fails if `validate` or the sandbox has a mistake that the other one lacks, for a random address with characters of every class.
test("validate and the sandbox agree", async () => {
  const addresses = [...new Set(fc.sample(address, { numRuns: RUNS }))];
  const refused = await refusedBySandbox(addresses);
  expect(refused.length).toBeGreaterThan(RUNS / 5);
  expect(addresses.length - refused.length).toBeGreaterThan(RUNS / 10);
  expect(await refusedInFiles(addresses, "url")).toEqual(refused);
});

// Fails if the address that a message proposes is refused, too, or if it changes what is escaped already.
test("what a message proposes is stored", () => {
  fc.assert(
    fc.property(address, (text) => {
      const meant = meantBy(text);
      if (meant === null) return;
      expect([text, meant, addressProblem(meant)]).toEqual([text, meant, null]);
      if (!/%25[0-9a-f]{2}/i.test(text)) expect(meant).not.toMatch(/%25[0-9a-f]{2}/i);
    }),
    { numRuns: RUNS },
  );
});
