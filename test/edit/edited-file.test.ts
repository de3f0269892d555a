// Edits of handwritten files. Fails if an edit affects anything else: comments, quotes, line breaks, empty lines, anchors.

import { describe, expect, it } from "vitest";
import { EditedFile } from "../../src/edit/edited-file.ts";
import type { Block } from "../../src/edit/yaml-text.ts";
import { edited, FILE, placeOf } from "./editing.ts";

const SPRING = `# yaml-language-server: $schema=x
# Owned by Ana

defaults: { link: { domain: go.example.com } } # all of them

links:
  # ---- Spring ----

  # printed: never reuse
  spring-sale: # until June
    url: "https://example.com/a" # the shop
    pixels: [Meta main, Other] # both
    expiration:
      date: 2027-03-31 # the last day
      clicks: 5000
    # nothing else

  two: { url: https://example.com/2, disabled: true } # for now

  three: &three
    url: 'https://example.com/3'
  four: *three
`;

const NEW: Block = { entries: [{ key: "url", value: "https://example.com/new" }] };

/** The added and removed lines, as \`+\` and \`-\`. */
function difference(before: string, after: string): string[] {
  const [from, to] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < Math.min(from.length, to.length) && from[start] === to[start]) start += 1;
  let end = 0;
  while (end < Math.min(from.length, to.length) - start && from.at(-1 - end) === to.at(-1 - end)) end += 1;
  return [
    ...from.slice(start, from.length - end).map((line) => `-${line}`),
    ...to.slice(start, to.length - end).map((line) => `+${line}`),
  ];
}

describe("a value", () => {
  it.each<[string, Parameters<typeof edited>[1], string[]]>([
    [
      "keeps its quotes and its comment",
      (file, at) => file.set(at("spring-sale"), ["url"], "https://example.com/b"),
      ['-    url: "https://example.com/a" # the shop', '+    url: "https://example.com/b" # the shop'],
    ],
    [
      "keeps single quotes, and doubles those in it",
      (file, at) => file.set(at("three"), ["url"], "https://example.com/it's"),
      ["-    url: 'https://example.com/3'", "+    url: 'https://example.com/it''s'"],
    ],
    [
      "is quoted where braces need it",
      (file, at) => file.set(at("two"), ["url"], "https://example.com/{a},b"),
      [
        "-  two: { url: https://example.com/2, disabled: true } # for now",
        '+  two: { url: "https://example.com/{a},b", disabled: true } # for now',
      ],
    ],
    [
      "of a list is the only one that is written",
      (file, at) => file.set(at("spring-sale"), ["pixels"], ["Third", "Other", "Meta main"]),
      ["-    pixels: [Meta main, Other] # both", "+    pixels: [Meta main, Other, Third] # both"],
    ],
    [
      "of a group is found in it",
      (file, at) => {
        file.set(at("spring-sale"), ["expiration", "time"], "12:00", ["date", "time", "clicks"]);
        file.unset(at("spring-sale"), ["expiration", "clicks"]);
      },
      ["-      clicks: 5000", '+      time: "12:00"'],
    ],
    [
      "of another kind takes the place of the whole",
      (file, at) => file.set(at("spring-sale"), ["expiration"], "none"),
      ["-    expiration:", "-      date: 2027-03-31 # the last day", "-      clicks: 5000", "+    expiration: none"],
    ],
  ])("%s", (_, change, lines) => {
    expect(difference(SPRING, edited(SPRING, change))).toEqual(lines);
  });

  it("that is missing is added in field order", () => {
    const after = edited(SPRING, (file, at) => {
      file.set(at("spring-sale"), ["space"], "Marketing", ["url", "space", "pixels"]);
      file.set(at("two"), ["expiration", "clicks"], 5);
    });
    expect(after).toBe(
      SPRING.replace("# the shop\n", "# the shop\n    space: Marketing\n").replace(
        "disabled: true }",
        "disabled: true, expiration: { clicks: 5 } }",
      ),
    );
  });

  it("says what it is: not through an alias of the whole block, and through one inside", () => {
    const text = "links:\n  a: &a\n    expiration: &e { date: 2027-01-01 }\n  b: *a\n  c: { url: x, expiration: *e }\n";
    const file = new EditedFile(text, FILE);
    const says = (key: string, path: readonly string[]): boolean => file.has(placeOf(text, "links", key), path);
    expect([says("a", ["expiration", "date"]), says("b", ["expiration"]), says("c", ["expiration", "date"])]).toEqual([
      true,
      false,
      true,
    ]);
    expect(says("a", ["expiration", "time"])).toBe(false);
    expect(file.isOwn(placeOf(text, "links", "b"))).toBe(false);
    expect(() => file.set(placeOf(text, "links", "b"), ["url"], "x")).toThrow("alias");
  });

  it("of another type takes the tag with it that said otherwise", () => {
    const text = "links:\n  a:\n    url: x\n    space: !!str Marketing # where\n";
    const after = edited(text, (file, at) => file.set(at("a"), ["space"], null));
    expect(after).toBe(text.replace("!!str Marketing", "null"));
  });

  it("behind an alias is copied where it changes, and nowhere else", () => {
    const text =
      "links:\n  a: { url: &u https://a, expiration: &e { date: 2027-01-01, clicks: 5 } }\n  b:\n    url: *u # mine\n    expiration: *e\n";
    const after = edited(text, (file, at) => {
      file.set(at("b"), ["url"], "https://b");
      file.set(at("b"), ["expiration", "clicks"], 7);
    });
    expect(after).toBe(
      text.replace("*u # mine", "https://b # mine").replace("*e\n", "{ date: 2027-01-01, clicks: 7 }\n"),
    );
  });
});

describe("a removed block", () => {
  it("is removed with its comments, but not those of the file and the section", () => {
    const after = edited(SPRING, (file, at) => file.remove(at("spring-sale")));
    expect(difference(SPRING, after)).toHaveLength(9);
    expect(after).toContain("links:\n  # ---- Spring ----\n\n  two: {");
  });

  it("passes its anchor to the first alias", () => {
    const after = edited(SPRING, (file, at) => file.remove(at("three")));
    expect(after).toContain("  four: &three { url: https://example.com/3 }\n");
    expect(after).not.toContain("*three");
  });

  it("is removed with its section if it was the last, but not with comments of the file", () => {
    const after = edited(SPRING, (file, at) => {
      for (const key of ["spring-sale", "two", "three", "four"]) file.remove(at(key));
    });
    expect(after).toBe(SPRING.slice(0, SPRING.indexOf("links:")) + "  # ---- Spring ----\n");
  });

  it("becomes a tombstone with all its comments", () => {
    const after = edited(SPRING, (file, at) => {
      file.addTombstone(at("spring-sale"), "link", "go.example.com/spring-sale", 12);
      file.addTombstone(at("two"), "link", "go.example.com/two", null);
    });
    expect(after.slice(after.indexOf("absent:"))).toBe(
      [
        "absent:",
        "  links:",
        "    # printed: never reuse",
        "    # until June",
        "    # the shop",
        "    # both",
        "    # the last day",
        "    # nothing else",
        "    go.example.com/spring-sale: { id: 12 }",
        "    # for now",
        "    go.example.com/two:",
        "",
      ].join("\n"),
    );
  });

  it("keeps its note as a comment of the tombstone", () => {
    const text = "links:\n  a: # key\n    note: |\n      on the flyer\n\n      and the poster # 3\n    url: x # dest\n";
    expect(edited(text, (file, at) => file.addTombstone(at("a"), "link", "a", 1))).toBe(
      "absent:\n  links:\n    # key\n    # on the flyer\n    # and the poster # 3\n    # dest\n    a: { id: 1 }\n",
    );
  });

  it.each([
    ["a list", "absent:\n  links:\n    - old # gone\n", "    - old # gone\n    - a: { id: 3 }\n    - b\n"],
    ["a list in brackets", "absent: { links: [old] }\n", "absent: { links: [old, { a: { id: 3 } }, b] }\n"],
    ["a list of maps", "absent:\n  links:\n  - old: { id: 1 }\n", "  - old: { id: 1 }\n  - a: { id: 3 }\n  - b\n"],
    ["a map", "absent:\n  links:\n    old:\n", "    old:\n    a: { id: 3 }\n    b:\n"],
    ["a map in braces", "absent: { links: { old } }\n", "absent: { links: { old, a: { id: 3 }, b: null } }\n"],
    ["none of links", "absent:\n  pixels: [P]\n", "  pixels: [P]\n  links:\n    a: { id: 3 }\n    b:\n"],
    ["none at all", "", "\nabsent:\n  links:\n    a: { id: 3 }\n    b:\n"],
  ])("becomes a tombstone beside existing ones: %s", (_, absent, expected) => {
    const text = `links:\n  a: { url: x }\n  b: { url: y }\n  c: { url: z }\n${absent}`;
    const after = edited(text, (file, at) => {
      file.addTombstone(at("a"), "link", "a", 3);
      file.addTombstone(at("b"), "link", "b", null);
    });
    expect(after).toContain(expected);
    expect(after.startsWith("links:\n  c: { url: z }\n")).toBe(true);
    const back = edited(after, (file, at) => {
      for (const key of ["a", "b"]) file.remove(at(key, "absent.links"));
    });
    expect(back).toBe(`links:\n  c: { url: z }\n${absent}`);
  });
});

describe("a new block", () => {
  it("is indented and spaced like its neighbors, in the order of the calls", () => {
    const text = "links:\n    a:\n        url: x\n\n    b:\n        url: y\n";
    const after = edited(text, (file, at) => {
      file.add("link", "c", NEW, { after: at("a") }, "about c");
      file.add("link", "null", NEW, { after: at("a") });
      file.add("link", "last", { entries: [...NEW.entries, { key: "pixels", value: ["P"] }] }, null);
    });
    expect(after).toBe(
      `links:\n    a:\n        url: x\n\n    # about c\n    c:\n        url: https://example.com/new\n\n    "null":\n        url: https://example.com/new\n\n    b:\n        url: y\n\n    last:\n        url: https://example.com/new\n        pixels:\n            - P\n`,
    );
  });

  it.each([
    ["links: { a: { url: x } } # all\n", "links: { a: { url: x }, new: { url: https://example.com/new } } # all\n"],
    ["links: {} # none yet\n", "links: # none yet\n  new:\n    url: https://example.com/new\n"],
    ["links: # none yet\n", "links: # none yet\n  new:\n    url: https://example.com/new\n"],
    ["# nothing here\n", "# nothing here\n\nlinks:\n  new:\n    url: https://example.com/new\n"],
    ["", "links:\n  new:\n    url: https://example.com/new\n"],
    ["pixels:\n  P: { type: x }", "pixels:\n  P: { type: x }\n\nlinks:\n  new:\n    url: https://example.com/new"],
    [
      "---\nlinks: { a: { url: x } }\n---\npixels: {}\n",
      "---\nlinks: { a: { url: x }, new: { url: https://example.com/new } }\n---\npixels: {}\n",
    ],
    ["links:\n  a: { url: x }\n", "links:\n  a: { url: x }\n  new: { url: https://example.com/new }\n"],
    [
      "\uFEFFlinks:\r\n  a:\r\n    url: x",
      "\uFEFFlinks:\r\n  a:\r\n    url: x\r\n  new:\r\n    url: https://example.com/new",
    ],
  ])("is added to its section, which is created if needed: %j", (text, expected) => {
    expect(edited(text, (file) => file.add("link", "new", NEW, null))).toBe(expected);
  });
});

describe("errors of the caller", () => {
  const text = "links:\n  a: { url: x, space: y }\n  b: { url: z }\n";

  it.each<[string, Parameters<typeof edited>[1]]>([
    [
      "one block taken out twice",
      (file, at) => {
        file.remove(at("a"));
        file.remove(at("a"));
      },
    ],
    [
      "a block changed and written anew",
      (file, at) => {
        file.set(at("a"), ["space"], "w");
        file.replace(at("a"), NEW);
      },
    ],
    [
      "a block given another key and taken out",
      (file, at) => {
        file.rename(at("a"), "c");
        file.addTombstone(at("a"), "link", "a", null);
      },
    ],
  ])("two changes of the same characters throw: %s", (_, change) => {
    expect(() => edited(text, change)).toThrow("two changes");
  });

  it("an empty place and an invalid text throw", () => {
    const file = new EditedFile(text, FILE);
    expect(() => file.remove({ file: FILE, line: 2, column: 4 })).toThrow("no block");
    expect(() => file.remove({ file: "other.yaml", line: 2, column: 3 })).toThrow("no block");
    expect(() => new EditedFile("links: {", FILE)).toThrow("mistakes");
  });
});
