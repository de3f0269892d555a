// `linkform pull` into existing files. Fails if a manual change is not written in its place, if anything else of a file
// changes, if a record is lost or declared twice, if a password is written, if only some files are written, or if a plan is not
// empty afterwards.

import { expect, it } from "vitest";
import type { PullFlags } from "../../src/pull/command.ts";
import type { SeedState } from "../../src/sandbox/index.ts";
import { beginFile, beginPulling, link } from "../support/pulling.ts";
import { textsOf } from "../support/scenario.ts";

type LinkSeed = NonNullable<SeedState["links"]>[number];

const FILE = `# Links of the spring campaign. Ask Kim before you change any.
defaults:
  link: { domain: go.example.com, space: Marketing } # ours

links:
  # the flyer
  spring: # printed
    url: "https://example.com/spring" # the page
    pixels: [Meta main, GA]
    expiration:
      date: 2027-03-31
      url: &over https://example.com/over # for all of them

  summer:
    expiration: { clicks: 500, url: *over }
    url: 'https://example.com/summer'
    targeting:
      country:
        # by the shop
        DE: https://example.com/de
        FR: https://example.com/fr
  "0123": { url: https://example.com/0123, note: "a number" }

pixels:
  Meta main: { type: facebook, value: "1234567890123456" }
  GA: { type: google-analytics, value: G-ABCDEFGH12 }
`;

const AS_DECLARED = {
  pixels: [
    { id: 1, name: "Meta main", type: "facebook", value: "1234567890123456" },
    { id: 2, name: "GA", type: "google-analytics", value: "G-ABCDEFGH12" },
  ],
  links: [
    link("spring", {
      space: 1,
      pixels: [1, 2],
      ends_at: "2027-03-31T23:59:00.000Z",
      expiration_url: "https://example.com/over",
    }),
    link("summer", {
      space: 1,
      expiration_clicks: 500,
      expiration_url: "https://example.com/over",
      target_type: 1,
      country: [
        { key: "DE", value: "https://example.com/de" },
        { key: "FR", value: "https://example.com/fr" },
      ],
    }),
    link("0123", { space: 1 }),
  ],
} satisfies SeedState;

/** The same account with one link changed. */
const withLink = (alias: string, more: Partial<LinkSeed>): SeedState => ({
  ...AS_DECLARED,
  links: AS_DECLARED.links.map((one) => (one.alias === alias ? { ...one, ...more } : one)),
});

/** The differing lines of the file, before and after. */
async function edited(seed: SeedState, flags: PullFlags = {}): Promise<{ was: string[]; is: string[] }> {
  const begun = await beginFile(FILE, seed);
  await begun.converge(flags);
  const [before, after] = [FILE.split("\n"), ((await begun.after()) ?? "").split("\n")];
  let [start, end] = [0, 0];
  while (start < before.length && before[start] === after[start]) start += 1;
  while (end < before.length - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return { was: before.slice(start, before.length - end), is: after.slice(start, after.length - end) };
}

it.each<[string, SeedState, string[], string[]]>([
  ["nothing, so no file changes", AS_DECLARED, [], []],
  [
    "the value of a YAML alias",
    withLink("summer", { expiration_url: "https://example.com/else" }),
    ["    expiration: { clicks: 500, url: *over }"],
    ["    expiration: { clicks: 500, url: https://example.com/else }"],
  ],
  [
    "a removed space, which a default has",
    withLink("0123", { space: null }),
    ['  "0123": { url: https://example.com/0123, note: "a number" }'],
    ['  "0123": { url: https://example.com/0123, space: null, note: "a number" }'],
  ],
  [
    "a date and its time",
    withLink("spring", { ends_at: "2028-01-02T10:30:00.000Z" }),
    ["      date: 2027-03-31"],
    ["      date: 2028-01-02", '      time: "10:30"'],
  ],
  ["a removed date", withLink("spring", { ends_at: null }), ["      date: 2027-03-31"], ["      date: none"]],
  [
    "a new password, which cannot be read",
    withLink("0123", { password: "secret" }),
    ['  "0123": { url: https://example.com/0123, note: "a number" }'],
    ['  "0123": { url: https://example.com/0123, password: { env: LINKFORM_SECRET_0123_PASSWORD }, note: "a number" }'],
  ],
  [
    "a new link, in braces as the one above it and in the style of `fmt`",
    { ...AS_DECLARED, links: [...AS_DECLARED.links, link("zoo", { space: 1, pixels: [1, 2] })] },
    [],
    ["  zoo: { url: https://example.com/zoo, pixels: [GA, Meta main] }"],
  ],
  ["a changed alias", withLink("spring", { alias: "Frühling" }), ["  spring: # printed"], ["  Frühling: # printed"]],
])("a manual change: %s", async (_what, seed, was, is) => {
  expect(await edited(seed)).toEqual({ was, is });
});

it("a rotation in another order", async () => {
  const file = (list: string): string =>
    `links: { go.example.com/a: { url: https://example.com/a, targeting: { rotation: [${list}] } } }\n`;
  const [one, two] = ["https://example.com/1", "https://example.com/2"];
  const rotation = [{ value: two }, { value: one }];
  const begun = await beginFile(file(`${one}, ${two}`), { links: [link("a", { target_type: 4, rotation })] });
  await begun.converge();
  expect(await begun.after()).toBe(file(`${two}, ${one}`));
});

it("a name that differs only in its spaces is written where it is used", async () => {
  const { pixels, links } = AS_DECLARED;
  const begun = await beginPulling(
    { "links/a.yaml": FILE },
    {
      pixels: pixels.map((one) => (one.id === 1 ? { ...one, name: "Meta  main" } : one)),
      links: links.map((one) => (one.alias === "0123" ? { ...one, url: "https://example.com/a  b" } : one)),
    },
  );
  await begun.pull({ quiet: true });
  expect(await begun.text("links/a.yaml")).toBe(
    FILE.replace("[Meta main, GA]", "[GA, Meta  main]")
      .replace("Meta main:", "Meta  main:")
      .replace("https://example.com/0123", "https://example.com/a  b"),
  );
});

const two: SeedState = {
  links: [
    link("a"),
    link("b", { domain: 3, ends_at: "2020-01-01T00:00:00.000Z" }),
    link("c", { space: 1, expiration_clicks: 7, clicks: 7, disabled: 1 }),
    link("d", { domain: 3, space: 2 }),
  ],
};
const keysIn = (texts: Map<string, string>): string[] =>
  [...texts]
    .flatMap(([file, text]) =>
      file.startsWith("links") ? [...text.matchAll(/https:\/\/example\.com\/(\w)/g)].map(([, one = ""]) => one) : [],
    )
    .toSorted();

it.each<[PullFlags, string[]]>([
  [{ domain: ["promo.example.com"] }, ["b", "d"]],
  [{ space: ["Marketing"] }, ["c"]],
  [{ space: ["none"] }, ["a", "b"]],
  [{ space: ["none", "Sales"], domain: ["promo.example.com"] }, ["b", "d"]],
  [{ alias: ["[a-c]", "d*"] }, ["d"]],
  [{ domain: ["2"] }, ["a", "c"]],
  [{}, ["a", "b", "c", "d"]],
])("a selection: %o", async (flags, keys) => {
  const { folder, pull } = await beginPulling({}, two);
  const { exit, err } = await pull({ quiet: true, ...flags });
  expect({ exit, err, keys: keysIn(await textsOf(folder)) }).toEqual({ exit: 0, err: "", keys });
});

it("a selection: by key pulls one link in few requests", async () => {
  const many = { links: Array.from({ length: 500 }, (_, n) => link(`l${n}x`)) };
  const { text, pull, sandbox } = await beginPulling(
    { "links/a.yaml": "links: { go.example.com/l7x: { url: https://example.com/other } }\n" },
    many,
  );
  expect((await pull({ quiet: true }, "go.example.com/l7x")).exit).toBe(0);
  expect(await text("links/a.yaml")).toBe("links: { go.example.com/l7x: { url: https://example.com/l7x } }\n");
  expect(sandbox.requests.length).toBeLessThan(6);
  expect((await pull({ quiet: true }, "l9x")).exit).toBe(0);
  expect(await text("links/a.yaml")).toBe(
    "links: { go.example.com/l7x: { url: https://example.com/l7x }, go.example.com/l9x: { url: https://example.com/l9x } }\n",
  );
});

it.each<[PullFlags, string[]]>([
  [{}, ["go.example.com/0123"]],
  [{ alias: ["0*"] }, []],
])("a deleted link can be selected, and only its block is removed: %o %o", async (flags, keys) => {
  const links = AS_DECLARED.links.filter(({ alias }) => alias === "spring");
  const { pull, after } = await beginFile(FILE, { ...AS_DECLARED, links });
  const { exit, out } = await pull(flags, ...keys);
  expect([exit, out]).toEqual([0, expect.stringContaining("it is no longer live")]);
  expect(await after()).toBe(FILE.replace(/ {2}"0123".*\n/, ""));
});

/** The file, the account, what the error says, and what is pulled. */
type Refused = [of: string, file: string, seed: SeedState, says: string | RegExp, keys?: string[], flags?: PullFlags];

const A = "links:\n  go.example.com/a: { url: https://example.com/a }\n";
const RENAMED =
  'pixels:\n  Neu: { type: facebook, value: "1234567890123456", renamed_from: Alt }\n' +
  "links:\n  go.example.com/b: { url: https://example.com/b, pixels: [Neu] }\n";

it.each<Refused>([
  ["an unknown key", FILE, AS_DECLARED, "`nope` is neither live nor declared.", ["nope"]],
  ["a misspelled key", FILE, AS_DECLARED, "Did you mean `go.example.com/spring`?", ["go.example.com/sprung"]],
  [
    "an ambiguous key, and lists each match once",
    `${A}  promo.example.com/a: { url: https://example.com/a }\n`,
    { links: [link("a"), link("a", { domain: 3 })] },
    "`a` matches `link:go.example.com/a` and `link:promo.example.com/a`.",
    ["a"],
  ],
  ["a filter that matches nothing", FILE, AS_DECLARED, "No link matches these filters.", [], { alias: ["zzz*"] }],
  [
    "a new name of a pixel that other blocks use",
    RENAMED,
    {
      pixels: [{ id: 1, name: "Alt", type: "facebook", value: "1234567890123456" }],
      links: [link("b", { pixels: [1] })],
    },
    "`go.example.com/b` uses a pixel that this pull renames or removes: `Neu`.",
    ["pixel:Alt"],
  ],
  ["two live links with one declared key", A, { links: [link("a", { id: 7 }), link("A", { id: 8 })] }, /7.*8/],
  [
    "to treat the last links of an unlisted domain as deleted",
    `${A}  short.example.com/b: { url: https://example.com/b }\n`,
    { links: [link("a")] },
    "If its links no longer exist, remove them from the files.",
  ],
  [
    "the key of a link on a domain that nothing confirms",
    A.replace("go.", "gone."),
    { links: [link("a"), link("b")] },
    "error[unconfirmed-domain]",
    ["a"],
  ],
])("refuses %s, and writes nothing", async (_of, file, seed, says, keys = [], flags = {}) => {
  const { pull, after } = await beginFile(file, seed);
  const { exit, err } = await pull(flags, ...keys);
  expect(exit).toBe(1);
  expect(err).toMatch(says);
  expect(await after()).toBe(file);
});

it("a new name of a pixel is written if all blocks that use it are pulled", async () => {
  const pixels = [{ id: 1, name: "Alt", type: "facebook", value: "1234567890123456" }];
  const { pull, after } = await beginFile(RENAMED, { pixels, links: [link("b", { pixels: [1] })] });
  expect((await pull({ quiet: true }, "pixel:Alt", "go.example.com/b")).exit).toBe(0);
  expect(await after()).toBe(RENAMED.replace(", renamed_from: Alt", "").replaceAll("Neu", "Alt"));
});
