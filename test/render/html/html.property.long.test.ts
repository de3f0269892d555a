// Whatever stands in a key, a value, a message or a file's name is shown as that text, and makes no element, attribute or link.
// Fails when one of them is put into a page without being escaped, or is lost.

import fc from "fast-check";
import { parseFragment, serializeOuter } from "parse5";
import { expect, test } from "vitest";
import { EXIT } from "../../../src/errors.ts";
import { SourceText } from "../../../src/domain/place.ts";
import { error, warning } from "../../../src/domain/diagnostic.ts";
import type { ChangeResult } from "../../../src/view/change-document.ts";
import { summaryDocument } from "../../../src/view/document.ts";
import type { Report } from "../../../src/view/report.ts";
import { markup, spans } from "../../../src/render/html/markup.ts";
import { code, line, strong } from "../../../src/view/spans.ts";
import { visible } from "../../../src/domain/control-characters.ts";
import { pageOf, SETTING } from "../pages.ts";
import { create, liveLink, livePixel, planOf, remove, update } from "../plans.ts";

const PIECES = [
  "<script>alert(1)</script>",
  "</script>",
  "</style>",
  "<!--",
  "-->",
  "<img src=x onerror=alert(1)>",
  `"'><svg onload=alert(1)>`,
  "' onfocus='alert(1)' autofocus='",
  "javascript:alert(1)",
  "https://a.example.com/?x=<b>&y='z",
  "&lt;",
  "&#60;",
  "<a href=javascript:alert(1)>",
  "<base href=//evil.example>",
  "<meta http-equiv=refresh content=0>",
  "{{7*7}}",
  "${1}",
  "`code`",
  "\u202e",
  "\u0000",
  "\n",
  "]]>",
  "<template><td>",
  "é",
  "\ud800",
];

const hostile = fc
  .oneof(
    fc.array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: "binary", maxLength: 6 })), {
      minLength: 1,
      maxLength: 4,
    }),
    fc.string({ unit: "grapheme", minLength: 1 }).map((text) => [text]),
  )
  .map((parts) => parts.join(""));

/** Texts for each place of a report that somebody else fills. */
const texts = fc.record({
  key: hostile,
  was: hostile,
  before: hostile,
  after: hostile,
  pixel: hostile,
  label: hostile,
  file: hostile,
  line: hostile,
  message: hostile,
  hint: hostile,
  project: hostile,
});
type Texts = typeof texts extends fc.Arbitrary<infer Value> ? Value : never;

function reportsOf(t: Texts): Report[] {
  const source = new SourceText(`${t.line}\n${t.line}`, t.file);
  const place = { file: t.file, line: 1, column: 1, length: 3, source };
  const live = liveLink(t.was, { values: { url: t.before, pixels: [t.pixel, "kept"] } });
  const base = { ref: t.label, commit: t.label };
  const plan = planOf(
    [
      update(live, {
        key: t.key,
        previousKey: live.key,
        fields: [
          { path: "url", before: t.before, after: t.after },
          {
            path: "targeting.country",
            before: [[t.label, t.before]],
            after: [
              [t.label, t.after],
              [t.pixel, t.after],
            ],
          },
          { path: "targeting.rotation", before: [t.before], after: [t.after, t.before] },
          { path: "pixels", before: [t.pixel, "kept"], after: ["kept"] },
        ],
        breaksUrl: true,
        source: place,
        origin: "both",
      }),
      create(t.key, { fields: [{ path: "title", before: undefined, after: t.after }], source: place }),
      remove(livePixel(t.pixel), { source: place, reason: "removed" }),
      // So many that a line stands for them.
      ...[1, 2, 3, 4, 5].map((id) =>
        update(liveLink(`${t.was}${id}`, { id }), { fields: [{ path: "title", before: t.before, after: t.after }] }),
      ),
    ],
    {
      atStake: { link: [live], pixel: [livePixel(t.pixel)] },
      base,
      diagnostics: [warning("w", t.message, place, t.hint), error("e", t.message, null, t.hint)],
      orphans: [{ live, place, successor: create(t.key, { source: place }) }],
      withheld: [{ change: create(t.key, { source: place }), because: "target" }],
      secretsNeeded: [{ from: "file", name: t.label, place }],
      unknown: [t.label],
    },
  );
  const document = { line: 1, column: 1, file: t.file };
  const told: ChangeResult = {
    action: "update",
    kind: "link",
    key: t.key,
    previous_key: t.was,
    id: 3,
    reason: "renamed",
    origin: null,
    breaks_url: true,
    takes_over: null,
    fields: [{ path: "url", before: t.before, after: t.after }],
    source: document,
    outcome: "failed",
    error: { code: "refused", message: t.message, hint: t.hint, path: "url", ...document },
  };
  const ended = {
    stopped: [],
    again: t.label,
    look: t.label,
    isVerified: false,
    clicksLost: 0,
    cost: { requests: 1, seconds: 1, waited: 0 },
    exit: EXIT.partial,
  };
  const planned = { plan, problems: [error("p", t.message, place, t.hint)], baseUrl: t.label };
  const unmanaged = [{ live, problem: t.message }];
  return [
    { of: "validate", isValid: false, files: 1, diagnostics: plan.diagnostics },
    { of: "plan", flagFor: "this run", ...planned, unmanaged, pace: null },
    { of: "drift", ...planned },
    {
      of: "apply",
      ...planned,
      results: [told],
      ended,
      saved: { summary: summaryDocument(plan), notReviewed: [told] },
    },
    { of: "held", ...planned, results: [told], saved: null, flagFor: "this run", pace: null },
    { of: "failure", command: "plan", diagnostics: plan.diagnostics, baseUrl: t.label },
  ];
}

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
          if (href !== undefined) expect(href).toMatch(/^(#[a-z-]+$|data:,$|https:\/\/ci\.example\.com\/)/);
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
    fc.property(hostile, hostile, (before, after) => {
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
