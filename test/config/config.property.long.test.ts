// Random projects, written as YAML in random styles, are read as they were generated.
import { mkdir, writeFile } from "node:fs/promises";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { stringify, type ToStringOptions } from "yaml";
import { loadProject } from "../../src/config/load.ts";
import { fold } from "../../src/domain/fold.ts";
import { compareText } from "../../src/domain/place.ts";
import { showKey } from "../../src/domain/project.ts";
import { HEAD, valuesOf } from "./loading.ts";
import { temporaryFolder } from "../support/scenario.ts";

const RUNS = Number(process.env["FUZZ_RUNS"] ?? 300);

const url = fc
  .stringMatching(/^[a-zA-Z0-9/&=.,:;'!*()@$+~_-]{0,20}(\?[a-z/?&=[\]',:*!@-]{0,9})?(#[a-z?:!*,-]{0,5})?$/)
  .map((tail) => `https://example.com/${tail}`);
const word = fc.constantFrom("2024", "0123", "1e3", "on", "null", "true", "~", "0x10", "No", "-", "a: b", "#x", "* y");

/** Any text that can be the name of a pixel or space. `<<` would be a merge key, and `__proto__` is an error. */
const name = fc
  .oneof(fc.string({ unit: "grapheme", minLength: 1, maxLength: 16 }), word)
  .filter(
    (text) =>
      /^[^\s\p{C}\p{M}\p{DI}\u2800](?:.*[^\s\p{C}\p{M}\p{DI}\u2800])?$/u.test(text) &&
      [...text].length <= 32 &&
      text !== "<<" &&
      text !== "__proto__",
  );
const alias = fc
  .oneof(fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }), word)
  .filter((text) => /^[\p{L}\p{M}\p{N}_-]+$/u.test(text) && text !== "__proto__");
const domain = fc.constantFrom("go.example.com", "2", "promo", "0123");
const secret = fc.oneof(
  fc.constant("none"),
  fc.stringMatching(/^[A-Z0-9_]{1,8}$/).map((tail) => ({ env: `LINKFORM_SECRET_${tail}` })),
  fc.constant({ file: "secrets/a.txt" }),
);

const two = (least: number, most: number): fc.Arbitrary<string> =>
  fc.integer({ min: least, max: most }).map((number) => String(number).padStart(2, "0"));
const date = fc.tuple(fc.integer({ min: 1970, max: 2037 }), two(1, 12), two(1, 28)).map((parts) => parts.join("-"));
const time = fc.tuple(two(0, 23), two(0, 59)).map((parts) => parts.join(":"));
const country = fc.dictionary(fc.constantFrom("DE", "FR", "NO", "US"), url, { minKeys: 1 });
const platform = fc.dictionary(fc.constantFrom("iOS", "OS X", "Chrome OS"), url, { minKeys: 1 });
const rotation = fc.array(url, { minLength: 1, maxLength: 3 });

const some = { requiredKeys: [] };
const linkBlock = fc
  .tuple(
    fc.record({ url, note: name }, { requiredKeys: ["url"] }),
    fc.record(
      {
        space: fc.oneof(name, fc.constant(null)),
        pixels: fc.array(name, { maxLength: 3 }),
        disabled: fc.boolean(),
        privacy: fc.constantFrom("public", "private", "password"),
        password: secret,
        privacy_password: secret,
        unspecified: fc.constantFrom("keep", "reset"),
      },
      some,
    ),
    fc.option(fc.tuple(date, fc.option(time), fc.option(fc.integer({ min: 1, max: 999_999_999 })), fc.option(url))),
    fc.option(
      fc.oneof(
        country.map((entries) => ({ country: entries })),
        fc.tuple(country, platform).map(([a, b]) => ({ country: a, platform: b, active: "platform" })),
        rotation.map((entries) => ({ rotation: entries })),
      ),
    ),
  )
  .map(([base, rest, expiration, targeting]) => ({
    ...base,
    ...rest,
    ...(expiration === null ? {} : { expiration: present(["date", "time", "clicks", "url"], expiration) }),
    ...(targeting === null ? {} : { targeting }),
  }));

function present(keys: readonly string[], values: readonly unknown[]): Record<string, unknown> {
  return Object.fromEntries(keys.map((key, at) => [key, values[at]]).filter(([, value]) => value !== null));
}

const pixelBlock = fc.record({
  type: fc.constantFrom("facebook", "google-ads", "bing"),
  value: fc.oneof(fc.stringMatching(/^[a-zA-Z0-9_-]{1,20}$/), fc.constantFrom("0123456", "9999999999999999", "1e3")),
});

const byFold = <Value>(key: (value: Value) => string) => ({
  selector: (value: Value) => fold(key(value)),
  maxLength: 6,
});
const pixels = fc.uniqueArray(
  fc.tuple(name, pixelBlock),
  byFold(([key]) => key),
);

const links = fc.uniqueArray(
  fc.tuple(
    fc.tuple(domain, alias).map((parts) => parts.join("/")),
    linkBlock,
  ),
  byFold(([key]) => key),
);

const style: fc.Arbitrary<ToStringOptions> = fc.record({
  defaultStringType: fc.constantFrom("PLAIN", "QUOTE_DOUBLE", "QUOTE_SINGLE"),
  defaultKeyType: fc.constantFrom("PLAIN", "QUOTE_DOUBLE", "QUOTE_SINGLE"),
  // Not "block", which has no form for an empty collection: the library then writes invalid YAML.
  collectionStyle: fc.constantFrom("any", "flow"),
  indent: fc.integer({ min: 1, max: 6 }),
  indentSeq: fc.boolean(),
  // Other widths trigger a bug of yaml 2.9.1, whose folding writes `undefined` into a deeply indented text.
  lineWidth: fc.constant(0),
});

/** The meaning of a link's block by separate, simple rules, not by those of the code under test. */
function meant(block: Record<string, unknown>): Record<string, unknown> {
  const said: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(block)) {
    if (key === "note" || key === "unspecified") continue;
    if (key === "password" || key === "privacy_password") said[key] = value !== "none";
    else if (key === "pixels")
      said[key] = Array.isArray(value) ? [...new Set(value.map(String))].toSorted(compareText) : value;
    else if (key === "expiration" || key === "targeting") Object.assign(said, group(key, Object(value)));
    else said[key] = value;
  }
  return said;
}

function group(key: string, block: Record<string, unknown>): Record<string, unknown> {
  if (key === "expiration") {
    return {
      "expiration.date": [block["date"], block["time"] ?? "23:59"].join("T"),
      ...("clicks" in block ? { "expiration.clicks": block["clicks"] } : {}),
      ...("url" in block ? { "expiration.url": block["url"] } : {}),
    };
  }
  const entries = (part: string): unknown =>
    Object.entries(Object(block[part] ?? {})).toSorted(([a], [b]) => compareText(a, b));
  return {
    "targeting.active": block["active"] ?? Object.keys(block)[0],
    "targeting.country": entries("country"),
    "targeting.platform": entries("platform"),
    "targeting.language": [],
    "targeting.continent": [],
    "targeting.browser": [],
    "targeting.device": [],
    "targeting.rotation": block["rotation"] ?? [],
  };
}

describe("random projects", () => {
  // Fails if any value, key, quoting style or collection style changes the meaning of a file.
  test("are read as they were written", async () => {
    const folder = await temporaryFolder();
    await mkdir(`${folder}/links`);
    await fc.assert(
      fc.asyncProperty(pixels, links, style, fc.boolean(), async (pixelBlocks, linkBlocks, options, crlf) => {
        const text = stringify(
          { pixels: Object.fromEntries(pixelBlocks), links: Object.fromEntries(linkBlocks) },
          options,
        );
        await writeFile(`${folder}/linkform.yaml`, HEAD);
        await writeFile(`${folder}/links/a.yaml`, crlf ? text.replaceAll("\n", "\r\n") : text);
        const { project, diagnostics } = await loadProject(`${folder}/linkform.yaml`);
        expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
        const read = (project?.declarations ?? []).map((one) => [one.kind, showKey(one), valuesOf(one)]);
        const written = [
          ...pixelBlocks.map(([key, block]) => ["pixel", key, block]),
          ...linkBlocks.map(([key, block]) => ["link", key, meant(block)]),
        ];
        const byKey = (a: unknown[], b: unknown[]): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
        expect(read.toSorted(byKey)).toEqual(written.toSorted(byKey));
      }),
      { numRuns: RUNS },
    );
  });
});
