// Whatever stands in a key, a value, a message or a file's name is shown as that text, and makes no element, attribute or link.
// Fails when one of them is put into a page without being escaped, or is lost.

import fc from "fast-check";
import { parseFragment, serializeOuter } from "parse5";
import { expect, test } from "vitest";
import { spans } from "../../../src/report/html/index.ts";
import { markup } from "../../../src/report/html/markup.ts";
import { code, line, strong } from "../../../src/report/spans.ts";
import { visible } from "../../../src/domain/control-characters.ts";
import type { Report } from "../../../src/report/report.ts";
import { hostileText } from "../../support/hostile.ts";
import { pageOf, SETTING } from "../pages.ts";
import { reportsOf, textsFrom, type Texts } from "../reports.ts";

const texts = textsFrom(hostileText);

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

const namesOf = (reports: readonly Report[], setting = SETTING): Set<string> =>
  new Set(
    reports.flatMap((report) =>
      pageOf(report, setting).elements.flatMap(({ name, attributes }) => [
        name,
        ...[...attributes.keys()].map((attribute) => `${name}[${attribute}]`),
      ]),
    ),
  );

test("no text makes an element, an attribute or a link", () => {
  const known = namesOf(reportsOf(PLAIN));
  fc.assert(
    fc.property(texts, (t) => {
      const setting = { ...SETTING, project: t.project };
      for (const report of reportsOf(t)) {
        const { elements, errors } = pageOf(report, setting);
        // Such are no mistake of the page: they mean nothing, here as elsewhere.
        expect(errors.filter((one) => one !== "noncharacter-in-input-stream")).toEqual([]);
        const count = (name: string): number => elements.filter((element) => element.name === name).length;
        expect([count("script"), count("style"), count("h1"), count("meta"), count("form")]).toEqual([0, 1, 1, 5, 0]);
        for (const { name, attributes } of elements) {
          for (const written of [name, ...[...attributes.keys()].map((attribute) => `${name}[${attribute}]`)])
            expect(known).toContain(written);
          const href = attributes.get("href");
          if (href !== undefined) expect(href).toMatch(/^(#[a-z-]+$|data:,$|https?:\/\/)/);
        }
      }
    }),
    { numRuns: 40 },
  );
});

test("every text is shown, with what can't be seen by its number", () => {
  fc.assert(
    fc.property(texts, (t) => {
      // What stands in backticks is code, and what logs in somewhere is masked: neither is looked at here.
      const plain = (text: string): string => visible(text.replaceAll(/[`@]/g, ""));
      const bare: Texts = { ...t, message: t.message.replaceAll("`", ""), hint: t.hint.replaceAll("`", "") };
      const [validate, plan, , apply] = reportsOf(bare).map((report) => pageOf(report).elements[0]?.text ?? "");
      for (const text of [bare.message, bare.hint, bare.file]) expect(validate).toContain(visible(text));
      for (const text of [bare.key, bare.file, bare.label]) expect(plan).toContain(visible(text));
      expect(plain(plan ?? "")).toContain(plain(bare.pixel));
      for (const text of [bare.message, bare.hint]) expect(apply).toContain(visible(text));
    }),
    { numRuns: 40 },
  );
});

test("a span shows its text, whatever it is", () => {
  fc.assert(
    fc.property(hostileText, hostileText, (before, after) => {
      fc.pre(visible(before).trim() !== "" && visible(after).trim() !== "");
      const { source } = markup`${spans(line`title: ${strong(before)} → ${code(after)}.`)}`;
      const { childNodes } = parseFragment(source);
      const inner = childNodes.map((node) => serializeOuter(node).replaceAll(/<\/?(b|code)>/g, ""));
      expect(childNodes.map(({ nodeName }) => nodeName)).toEqual(["#text", "b", "#text", "code", "#text"]);
      const shown = (text: string): string =>
        visible(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
      expect(inner).toEqual(["title: ", shown(before), " → ", shown(after), "."]);
    }),
  );
});
