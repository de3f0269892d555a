// `linkform pull` and `linkform rm` on links of families. Fails if a plan after a pull has changes, if one changed link is more than one
// entry of `each`, or if an edit changes other bytes of the file or other links of the family.

import { describe, expect, it } from "vitest";
import { rm } from "../../src/cli/rm.ts";
import type { SeedState } from "../../src/sandbox/index.ts";
import { beginPulling, link, planOf, type Pulling } from "../support/pulling.ts";
import { runIn } from "../support/scenario.ts";

const FAMILY = `# The spring campaign.
families:
  go.example.com/s-{c}-{r}: # three channels
    for:
      c: { mail: { medium: email }, qr: { medium: print } }
      r: [de, us]
    url: https://example.com/{r}?m={c.medium} # the shop
    expiration: { clicks: 5 }
# The end.
`;

const live = (c: string, r: string, more: Parameters<typeof link>[1] = {}): ReturnType<typeof link> =>
  link(`s-${c}-${r}`, {
    url: `https://example.com/${r}?m=${c === "mail" ? "email" : "print"}`,
    expiration_clicks: 5,
    ...more,
  });

const ALL = [live("mail", "de"), live("mail", "us"), live("qr", "de"), live("qr", "us")];

async function begin(
  text: string,
  links: NonNullable<SeedState["links"]> = [],
): Promise<Pulling & { readonly after: () => Promise<string | undefined> }> {
  const begun = await beginPulling({ "links/a.yaml": text }, { links });
  return { ...begun, after: () => begun.text("links/a.yaml") };
}

/** Pulls, and returns the file. Afterwards, a plan has no changes. */
async function pulled(text: string, links: NonNullable<SeedState["links"]>, flags = {}): Promise<string | undefined> {
  const { converge, after } = await begin(text, links);
  await converge(flags);
  return after();
}

const changed = (c: string, r: string, more: Parameters<typeof link>[1]): NonNullable<SeedState["links"]> =>
  ALL.map((one) => (one.alias === `s-${c}-${r}` ? live(c, r, more) : one));

describe("pull writes a changed link of a family", () => {
  it("not at all if nothing differs", async () => {
    expect(await pulled(FAMILY, ALL)).toBe(FAMILY);
  });

  it("as one entry of `each`", async () => {
    const links = changed("qr", "us", { url: "https://example.com/other", expiration_clicks: 9 });
    expect(await pulled(FAMILY, links)).toBe(
      FAMILY.replace(
        "# The end.",
        `    each:
      - { when: { c: qr, r: us }, url: https://example.com/other, expiration: { clicks: 9 } }
# The end.`,
      ),
    );
  });

  it("into its entry, if there is one", async () => {
    const text = FAMILY.replace(
      "# The end.",
      `    each:
      # first
      - { when: { c: qr }, note: printed } # second
      - when: { r: us, c: qr }
        url: https://example.com/other # third
# The end.`,
    );
    const links = changed("qr", "us", { url: "https://example.com/new", expiration_clicks: 9 });
    expect(await pulled(text, links)).toBe(
      text.replace("/other # third", "/new # third\n        expiration:\n          clicks: 9"),
    );
  });

  it("after an entry that would override it", async () => {
    const text = FAMILY.replace(
      "# The end.",
      `    each: [{ when: { c: qr, r: us }, note: one }, { when: { c: qr }, url: "https://example.com/{c}" }]
# The end.`,
    );
    const links = ALL.map((one) => (one.alias.includes("-qr-") ? { ...one, url: "https://example.com/qr" } : one));
    expect(await pulled(text, links)).toBe(text);
    const other = links.map((one) => (one.alias === "s-qr-us" ? { ...one, url: "https://example.com/new" } : one));
    expect(await pulled(text, other)).toBe(
      text.replace('{c}" }]', '{c}" }, { when: { c: qr, r: us }, url: https://example.com/new }]'),
    );
  });

  it("without an expiration, with other targets, and with a password", async () => {
    const links = [
      live("mail", "de", { expiration_clicks: null }),
      live("mail", "us", { target_type: 4, rotation: [{ value: "https://example.com/r" }] }),
      live("qr", "de", { password: "secret" }),
      ALL[3],
    ].flatMap((one) => one ?? []);
    const text = await pulled(FAMILY, links);
    expect(text).toContain("{ when: { c: mail, r: de }, expiration: { clicks: none } }");
    expect(text).toContain("{ when: { c: mail, r: us }, targeting: { rotation: [https://example.com/r] } }");
    expect(text).toMatch(/\{ when: \{ c: qr, r: de \}, password: \{ env: LINKFORM_SECRET_\w+ \} \}/);
  });

  it("with only the UTM value that differs", async () => {
    const family = `families:
  go.example.com/s-{c}:
    for: { c: [mail, qr] }
    url: https://example.com/
    utm: { source: "{c}", campaign: spring }
`;
    const urlOf = (query: string): string => `https://example.com/?${query}`;
    const own = link("s-qr", { url: urlOf("utm_source=qr&utm_campaign=spring") });
    const after = await pulled(family, [link("s-mail", { url: urlOf("utm_source=post&utm_campaign=spring") }), own]);
    expect(after).toBe(`${family}    each:\n      - { when: { c: mail }, utm: { source: post } }\n`);
    const without = await pulled(after ?? "", [link("s-mail", { url: urlOf("utm_source=post") }), own]);
    expect(without).toBe(`${family}    each:\n      - { when: { c: mail }, utm: { source: post, campaign: null } }\n`);
    expect(await pulled(without ?? "", [link("s-mail", { url: "https://example.com/" }), own])).toBe(
      `${family}    each:\n      - { when: { c: mail }, utm: none }\n`,
    );
  });

  it("in a family in braces, and in one that is an alias", async () => {
    const braces = `families: { "go.example.com/s-{c}": { for: { c: [a, b] }, url: "https://example.com/s-{c}" } }\n`;
    expect(await pulled(braces, [link("s-a"), link("s-b", { url: "https://example.com/new" })])).toBe(
      braces.replace(" } }\n", ", each: [{ when: { c: b }, url: https://example.com/new }] } }\n"),
    );
    const aliased =
      'families:\n  go.example.com/s-{c}: &f { for: { c: [a, b] }, url: "https://example.com/{c}" }\n  go.example.com/t-{c}: *f\n';
    const links = ["s", "t"].flatMap((one) =>
      ["a", "b"].map((c) => link(`${one}-${c}`, { url: `https://example.com/${c}` })),
    );
    const text = await pulled(aliased, [
      ...links.filter(({ alias }) => alias !== "t-b"),
      link("t-b", { url: "https://example.com/new" }),
    ]);
    expect(text).toContain('  go.example.com/s-{c}: &f { for: { c: [a, b] }, url: "https://example.com/{c}" }\n');
    expect(text).toContain("{ when: { c: b }, url: https://example.com/new }");
  });
});

describe("pull of a link of a family that is not live", () => {
  const links = ALL.slice(0, 3);

  it("excludes its combination", async () => {
    expect(await pulled(FAMILY, links)).toBe(
      FAMILY.replace("# The end.", "    exclude:\n      - { c: qr, r: us }\n# The end."),
    );
  });

  it("excludes all of them", async () => {
    const { pull, after } = await begin(FAMILY, []);
    expect((await pull({ quiet: true })).exit).toBe(0);
    expect((await after())?.match(/- \{ c: \w+, r: \w+ \}/g)).toHaveLength(4);
  });

  it("removes its entry of `each`", async () => {
    const text = FAMILY.replace(
      "# The end.",
      "    each:\n      - { when: { c: qr, r: us }, note: n }\n    exclude: [{ c: mail, r: us }]\n# The end.",
    );
    const left = [ALL[0], ALL[2]].flatMap((one) => one ?? []);
    expect(await pulled(text, left)).toBe(
      FAMILY.replace("# The end.", "    exclude: [{ c: mail, r: us }, { c: qr, r: us }]\n# The end."),
    );
  });
});

it("a link with another alias gets a block of its own", async () => {
  const links = [...ALL.slice(0, 3), { ...live("qr", "us"), alias: "flyer" }];
  const kept = "    protect: true\n    owner: [brand]\n    note: printed in {r}\n";
  const text = await pulled(FAMILY.replace("    url:", `${kept}    url:`), links);
  expect(text).toContain("exclude:\n      - { c: qr, r: us }\n");
  expect(text).toContain("go.example.com/flyer:\n    url: https://example.com/us?m=print\n");
  expect(text).toMatch(/flyer:\n(?: {4}.*\n)* {4}protect: true\n {4}owner:\n {6}- brand\n {4}note: printed in us\n/);
});

it("a link with a name in braces gets a block of its own, because it is not a placeholder", async () => {
  const seed: SeedState = { links: changed("qr", "us", { space: 1 }), spaces: [{ id: 1, name: "Space {c}" }] };
  const { converge, text } = await beginPulling({ "links/a.yaml": FAMILY }, seed);
  await converge();
  expect(await text("links/a.yaml")).toContain("space: Space {c}\n");
});

it("an unmanaged link gets no block inside of a family", async () => {
  const { folder, sandbox, pull, after } = await begin(FAMILY, [...ALL, link("new")]);
  expect((await pull({ quiet: true }, "go.example.com/new")).exit).toBe(0);
  expect(await after()).toBe(FAMILY);
  expect((await planOf(sandbox, folder)).summary).toMatchObject({ unchanged: 5, unmanaged: 0 });
});

describe("rm", () => {
  async function removed(
    text: string,
    keys: readonly string[],
    flags = {},
  ): Promise<{ out: string; err: string; exit: number; text: string | undefined; begun: Pulling }> {
    const begun = await begin(text, ALL);
    const env = { LINKFORM_API_KEY: begun.sandbox.apiKey };
    const { out, err, exit } = await runIn(begun.folder, env, (world) =>
      rm(world, { baseUrl: begun.sandbox.url, ...flags }, keys),
    );
    return { out, err, exit, text: await begun.text("links/a.yaml"), begun };
  }

  it("writes an entry of `exclude` and a tombstone", async () => {
    const { text, exit, out } = await removed(FAMILY, ["go.example.com/s-qr-us"]);
    expect(exit).toBe(0);
    expect(out).toContain("Checked: a plan of these files deletes just that.");
    expect(text).toBe(
      FAMILY.replace(
        "# The end.\n",
        "    exclude:\n      - { c: qr, r: us }\n\nabsent:\n  links:\n    go.example.com/s-qr-us: { id: 4 }\n# The end.\n",
      ),
    );
  });

  it("removes several links of one family", async () => {
    const { text, exit } = await removed(FAMILY, ["s-qr-us", "s-qr-de"]);
    expect(exit).toBe(0);
    expect(text).toContain("exclude:\n      - { c: qr, r: us }\n      - { c: qr, r: de }\n");
    expect(text).toContain("go.example.com/s-qr-us: { id: 4 }\n    go.example.com/s-qr-de: { id: 3 }\n");
  });

  it("refuses a protected link, and explains why", async () => {
    const { text, exit, err } = await removed(FAMILY.replace("# The end.", "    protect: true\n# The end."), [
      "s-qr-us",
    ]);
    expect(exit).toBe(1);
    expect(err).toContain("`go.example.com/s-qr-us` is protected");
    expect(text).toContain("# The end.");
  });
});
