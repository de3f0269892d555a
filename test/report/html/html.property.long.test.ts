// Any text in a key, a value, a message or a file name is shown as text, and makes no element, attribute or link. Fails when one of them is
// written into a page without being escaped, or is lost.

import fc from "fast-check";
import { expect, test } from "vitest";
import { html } from "../../../src/report/html/index.ts";
import { visible } from "../../../src/domain/control-characters.ts";
import type { Report } from "../../../src/report/format.ts";
import { hostileText, shortHostileText } from "../../support/hostile.ts";
import { Rendered } from "../../support/rendered.ts";
import { CI_CONTEXT, reportsOf, textsFrom, type Texts } from "../reports.ts";

/** What pages are made of when their texts are harmless. */
const PLAIN: Texts = {
  key: "go.example.com/a",
  was: "b",
  before: "https://example.com/?a=1&b=2",
  after: "https://example.com/?a=2&b=2",
  pixel: "Meta",
  label: "DE",
  file: "a.yaml",
  line: "  a: 1",
  message: "It is `so`.",
  hint: "Do `it`.",
  project: "linkform.yaml",
};

const pageOf = (report: Report, context = CI_CONTEXT): Rendered => new Rendered(html(report, context), "html");

/** The names of elements, and of attributes with their elements. */
const namesIn = (page: Rendered): string[] =>
  page.elements().flatMap(({ tagName, attrs }) => [tagName, ...attrs.map(({ name }) => `${tagName}[${name}]`)]);

test("no text makes an element, an attribute or a link", () => {
  const known = new Set(reportsOf(PLAIN).flatMap((report) => namesIn(pageOf(report))));
  fc.assert(
    fc.property(textsFrom(hostileText), (t) => {
      for (const report of reportsOf(t)) {
        const page = pageOf(report, { ...CI_CONTEXT, project: t.project });
        // Such characters are not an error of the page.
        expect(page.errors.filter((one) => one !== "noncharacter-in-input-stream")).toEqual([]);
        const count = (name: string): number => page.elements(name).length;
        expect([count("script"), count("style"), count("h1"), count("meta"), count("form")]).toEqual([0, 1, 1, 5, 0]);
        expect(namesIn(page).filter((name) => !known.has(name))).toEqual([]);
        const addresses = page.elements().flatMap(({ attrs }) => attrs.filter(({ name }) => name === "href"));
        for (const { value } of addresses) expect(value).toMatch(/^(data:,$|https?:\/\/)/);
      }
    }),
    { numRuns: 40 },
  );
});

test("every text is shown, with invisible characters by their code points", () => {
  fc.assert(
    fc.property(textsFrom(shortHostileText), (t) => {
      // A text in backticks is code, and user names are masked: neither is compared here.
      const plain = (text: string): string => visible(text.replaceAll(/[`@]/g, ""));
      const bare: Texts = { ...t, message: t.message.replaceAll("`", ""), hint: t.hint.replaceAll("`", "") };
      const [validate, plan, , apply] = reportsOf(bare).map((report) => pageOf(report).text());
      for (const text of [bare.message, bare.hint, bare.file]) expect(validate).toContain(visible(text));
      for (const text of [bare.key, bare.file, bare.label]) expect(plan).toContain(visible(text));
      expect(plain(plan ?? "")).toContain(plain(bare.pixel));
      for (const text of [bare.message, bare.hint]) expect(apply).toContain(visible(text));
    }),
    { numRuns: 40 },
  );
});
