// Texts from outside in markdown, whatever they are made of. Fails when one of them is read as anything but itself: as markup,
// a link, a mention, a reference, an emoji, a command, or another item of a list.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { prose, type Span } from "../../../src/report/blocks.ts";
import { code, fence, fold, lineText, link } from "../../../src/report/markdown/index.ts";
import { visible } from "../../../src/domain/control-characters.ts";
import { hostileText } from "../../support/hostile.ts";
import { runs } from "../../support/states.ts";
import { Rendered } from "../../support/rendered.ts";

/** What a reader sees where a browser shows spaces and ends of lines as they are. */
const seen = (text: string): string => visible(text);

/** The bytes of an address without percent-encoding, which the browser does not mind. */
const bytesOf = (url: string): string =>
  Buffer.from(url)
    .toString("latin1")
    .replaceAll(/%([\da-f]{2})/gi, (_, byte: string) => String.fromCharCode(Number.parseInt(byte, 16)));

describe("a text from outside", () => {
  test("is read as it is in a line, an item, a heading, a quotation and a fold", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const line = `a ${code(text)} b\n`;
        for (const markdown of [line, `- ${line}`, `### ${line}`, `> ${line}`, fold("Open", `- ${line}`)]) {
          const page = new Rendered(markdown);
          expect(page.texts("code").join("")).toBe(seen(text));
          expect(page.links()).toEqual([]);
          expect(page.text("code", "summary").replaceAll(/\s+/g, " ").trim()).toBe("a b");
        }
      }),
    );
  });

  test("that is an address leads there, and nowhere else", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const url = `https://example.com/?x=${text}`;
        const page = new Rendered(`- a ${link(code(text), url)} b\n`);
        const isLinked = text !== "" && url.length <= 1000 && !/\p{Cs}/u.test(text);
        expect(page.links().map(bytesOf)).toEqual(isLinked ? [bytesOf(url)] : []);
        expect(page.text("a", "code").replaceAll(/\s+/g, " ").trim()).toBe("a b");
      }),
    );
  });

  test("stays between its fences", () => {
    fc.assert(
      fc.property(fc.array(hostileText, { minLength: 1 }), (lines) => {
        const text = `x${lines.map(seen).join("\n ")}`;
        const page = new Rendered(`${fence(text)}\nafter\n`);
        expect(page.texts("pre")).toEqual([`${text.replace(/\n*$/, "")}\n`]);
        expect(page.texts("p")).toEqual(["after"]);
      }),
    );
  });
});

// Fails if the marks of spans without a space between them are read together.
test("each span of a line is read as it is, whatever is beside it", () => {
  const word = fc.constantFrom("Plan", "Plan:", "(5)", "links.", "5", "-");
  const words = fc.record({ text: word, as: fc.constantFrom<Span["as"][]>("text", "strong") });
  const foreign = fc.record({ text: hostileText, as: fc.constantFrom<Span["as"][]>("code", "strong code", "prose") });
  fc.assert(
    fc.property(fc.array(fc.oneof(words, foreign), { maxLength: 6 }), (line) => {
      const page = new Rendered(`a ${lineText(line)} b\n`);
      const squeezed = (text: string): string => text.replaceAll(/[\s`]+/g, "");
      expect(squeezed(page.text())).toBe(squeezed(`a${line.map(({ text }) => seen(text)).join("")}b`));
      expect(page.names().filter((name) => !["p", "strong", "code"].includes(name))).toEqual([]);
      const strong = line.flatMap(({ as, text }) => (as === "strong" ? text : []));
      expect(squeezed(page.text("code"))).toContain(squeezed(strong[0] ?? ""));
      for (const one of strong) expect(page.texts("strong").join("|")).toContain(one);
    }),
    { numRuns: runs(100) },
  );
});

describe("a sentence", () => {
  /** What GitHub, GitLab or a mail program would make something of, in a text that is no code. */
  const SPEAKS =
    /[@#~$^&*_<>[\]{}|\\/=+]|(?<!\d)%|%[\p{L}\d]|\d{7}|\b[0-9a-f]{7,}\b|\p{L}-\d|www\.|:[\p{L}\d+-]+:|!\d|[\p{L}\d]\.[\p{L}\d]/iu;

  test("says its words, and what is none of them stands in code", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(hostileText, fc.constantFrom("The", "link", "is", "gone.", "`x`", "(it)"))),
        (parts) => {
          const sentence = parts.join(" ");
          const page = new Rendered(`**Error**: ${lineText(prose(sentence))}\n`);
          const squeezed = (text: string): string => text.replaceAll(/[\s`]+/g, "");
          expect(squeezed(page.text())).toBe(squeezed(`Error: ${seen(sentence)}`));
          expect(page.names().filter((name) => !["p", "strong", "code"].includes(name))).toEqual([]);
          expect(page.text("code").replace("Error:", "")).not.toMatch(SPEAKS);
        },
      ),
    );
  });

  test.each([
    ["`usr` is no field of a link.", "`usr` is no field of a link."],
    ["The service rejected url: @everyone fixes #1.", "The service rejected url: `@everyone` fixes `#1`."],
    ["See www.evil.example, GH-1 and a1b2c3d!", "See `www.evil.example`, `GH-1` and `a1b2c3d`!"],
    ["It can't be 1234567 (12,345 at most, or 30%).", "It can't be `1234567` (12,345 at most, or 30%)."],
    ["édeadbeefcafe at 5% of it", "`édeadbeefcafe` at 5% of it"],
    ["Write `a`@b", "Write `a@b`"],
    ["The base is www.).", "The base is `www`.)."],
    [":smile: /close $x$", "`:smile`: `/close` `$x$`"],
  ])("%s", (sentence, expected) => {
    expect(lineText(prose(sentence))).toBe(expected);
  });
});
