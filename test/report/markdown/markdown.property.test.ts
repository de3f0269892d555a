// Whole reports in markdown of texts that want to be obeyed. Fails when a reader meets anything in one that is not ours: an element,
// a link, a comment, a mention or reference outside of code; or when a report goes over its limit or is cut in two.

import fc from "fast-check";
import { expect, test } from "vitest";
import type { RenderContext, RunReport } from "../../../src/report/format.ts";
import { markdown, markerOf } from "../../../src/report/markdown/index.ts";
import { webAddress } from "../../../src/report/blocks.ts";
import { hostileText } from "../../support/hostile.ts";
import { runs } from "../../support/states.ts";
import { Rendered } from "../../support/rendered.ts";
import { CONTEXT, reportsOf, textsFrom, type Texts } from "../reports.ts";

const BLOB = "https://github.example.com/octo/links/blob/5d1c2a7/";
const RUN = "https://github.example.com/octo/links/actions/runs/42";

/** Every element that a report may have. */
const OURS = "a blockquote br code details em h2 h3 li ol p pre strong summary ul".split(" ");

/** What GitHub, GitLab or a mail program would make something of, in a text that is no code. */
const SPEAKS = /[@#~$%^&*_<>[\]{}|\\/=+`]|\d{7}|\b[0-9a-f]{7,}\b|\p{L}-\d|www\.|:\w+:|\w\.\w/iu;

const text = hostileText;

/** A report, and the addresses that it may link. Files have a name. */
function reportWith(texts: Texts, of: number): { readonly one: RunReport; readonly addresses: readonly string[] } {
  const [first, ...others] = reportsOf({ ...texts, file: texts.file === "" ? "a.yaml" : texts.file });
  const addresses = [texts.before, texts.after, "https://example.com/"].flatMap((one) => webAddress(one) ?? []);
  return { one: others[of - 1] ?? first, addresses };
}

const report = fc.tuple(textsFrom(text), fc.nat(5)).map(([texts, of]) => reportWith(texts, of));

const contextArbitrary: fc.Arbitrary<RenderContext> = fc
  .record({
    project: text,
    maxLength: fc.oneof(fc.constant(65_536), fc.integer({ min: 1000, max: 9000 })),
    isCi: fc.boolean(),
  })
  .map(({ project, maxLength, isCi }) => ({
    ...CONTEXT,
    maxLength,
    project: `${project}/linkform.yaml`,
    runUrl: isCi ? RUN : null,
    blobUrl: isCi ? BLOB : null,
  }));

test("a reader sees texts as texts, and nothing but what is ours", () => {
  fc.assert(
    fc.property(report, contextArbitrary, ({ one, addresses }, setting) => {
      const written = markdown(one, setting);
      const page = new Rendered(written);
      const marker = markerOf(one.command, setting.project);

      expect(written.startsWith(`${marker}\n`)).toBe(true);
      expect(written.length).toBeLessThanOrEqual(setting.maxLength);
      expect(page.comments().map((comment) => `<!--${comment}-->`)).toEqual([marker]);
      expect(page.names().filter((name) => !OURS.includes(name))).toEqual([]);
      expect(page.attributes().filter((attribute) => !/^code class=language-(yaml|text)$/.test(attribute))).toEqual([]);
      const plain = (address: string): string => address.replaceAll(/%[\dA-F]{2}|[^\w.~:/?#@!$&+,=%-]/gu, "%");
      const isKnown = (to: string): boolean =>
        addresses.some((address) => plain(address).replaceAll(/%+/g, "%") === plain(to).replaceAll(/%+/g, "%"));
      expect(page.links().filter((to) => to !== RUN && !to.startsWith(BLOB) && !isKnown(to))).toEqual([]);
      expect(written.match(/^<details>/gm)?.length ?? 0).toBe(written.match(/^<\/details>/gm)?.length ?? 0);
      // GitLab does what a line says that begins with a slash.
      expect(written.split("\n").filter((line) => line.startsWith("/"))).toEqual([]);
      const outside = page
        .text("code", "pre")
        .replaceAll("[!CAUTION]", "")
        .replaceAll(/\d%|[~+] (?=(create|update|rename) )/g, "");
      expect(outside).not.toMatch(SPEAKS);
    }),
    { numRuns: runs(50) },
  );
}, 60_000);
