// `linkform pull` and `linkform rm` on links of families. Fails if a plan after a pull has changes, if a changed link is more than one
// entry of `exclude` and a block, or if an edit changes other bytes of the file or other links of the family.

import { describe, expect, it } from "vitest";
import { rm } from "../../src/cli/rm.ts";
import type { SeedState } from "../../src/sandbox/index.ts";
import { beginFile, beginPulling, link, planOf } from "../support/pulling.ts";
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

/** Pulls, and returns the file. Afterwards, a plan has no changes. */
async function pulled(text: string, links: NonNullable<SeedState["links"]>, flags = {}): Promise<string | undefined> {
  const { converge, after } = await beginFile(text, { links });
  await converge(flags);
  return after();
}

const changed = (c: string, r: string, more: Parameters<typeof link>[1]): NonNullable<SeedState["links"]> =>
  ALL.map((one) => (one.alias === `s-${c}-${r}` ? live(c, r, more) : one));

describe("pull writes a changed link of a family", () => {
  it("as an entry of `exclude` and a block below the defaults of its document", async () => {
    const links = changed("qr", "us", { url: "https://example.com/other", expiration_clicks: 9, space: null });
    const spaced = links.map((one) => ({ ...one, space: one.space === undefined ? 1 : null }));
    const head = "defaults: { link: { space: Marketing } }\n";
    expect(await pulled(`${head}${FAMILY}---\nlinks: {}\n`, spaced)).toBe(
      `${head}${FAMILY.replace(
        "# The end.",
        `    exclude:
      - { c: qr, r: us }
links:
  go.example.com/s-qr-us:
    url: https://example.com/other
    space: null
    expiration:
      clicks: 9
# The end.`,
      )}---\nlinks: {}\n`,
    );
  });

  it("with what its family and its entries of `each` set for it, and without its own entry", async () => {
    const text = FAMILY.replace(
      "# The end.",
      `    owner: [brand]
    each:
      # first
      - { when: { c: qr }, note: "printed in {r}", protect: true } # second
      - when: { r: us, c: qr }
        url: https://example.com/other
# The end.`,
    );
    const links = changed("qr", "us", { url: "https://example.com/new" });
    expect(await pulled(text, links)).toBe(
      text.replace(/ {6}- when: .*\n.*\n/, "    exclude:\n      - { c: qr, r: us }\n").replace(
        "# The end.",
        `
links:
  go.example.com/s-qr-us:
    url: https://example.com/new
    expiration:
      clicks: 5
    protect: true
    owner:
      - brand
    note: printed in us
# The end.`,
      ),
    );
  });

  it("with another alias, and with a name in braces, which is no placeholder", async () => {
    const links = [...ALL.slice(0, 3), { ...live("qr", "us", { space: 1 }), alias: "flyer" }];
    const { converge, text } = await beginPulling(
      { "links/a.yaml": FAMILY },
      { links, spaces: [{ id: 1, name: "Space {c}" }] },
    );
    await converge();
    expect(await text("links/a.yaml")).toContain(
      "  go.example.com/flyer:\n    url: https://example.com/us?m=print\n    space: Space {c}\n",
    );
  });

  it("in a family in braces", async () => {
    const braces = `families: { "go.example.com/s-{c}": { for: { c: [a, b] }, url: "https://example.com/s-{c}" } }\n`;
    expect(await pulled(braces, [link("s-a"), link("s-b", { url: "https://example.com/new" })])).toBe(
      `${braces.replace(" } }\n", ", exclude: [{ c: b }] } }\n")}
links:
  go.example.com/s-b:
    url: https://example.com/new
`,
    );
  });
});

const links = ALL.slice(0, 3);

it("pull of a link of a family that is not live excludes its combination", async () => {
  expect(await pulled(FAMILY, links)).toBe(
    FAMILY.replace("# The end.", "    exclude:\n      - { c: qr, r: us }\n# The end."),
  );
});

it("pull of a link of a family that is not live removes the entries of `each` that are about such links", async () => {
  const each = ["mail", "qr"].map((c) => `      - { when: { c: ${c}, r: us }, note: ${c} }\n`).join("");
  const text = FAMILY.replace("# The end.", `    each:\n${each}    exclude: []\n# The end.`);
  const left = [ALL[0], ALL[2]].flatMap((one) => one ?? []);
  expect(await pulled(text, left)).toBe(
    FAMILY.replace("# The end.", "    exclude:\n      - { c: mail, r: us }\n      - { c: qr, r: us }\n# The end."),
  );
});

it("an unmanaged link gets no block inside of a family", async () => {
  const { folder, sandbox, pull, after } = await beginFile(FAMILY, { links: [...ALL, link("new")] });
  expect((await pull({ quiet: true }, "go.example.com/new")).exit).toBe(0);
  expect(await after()).toBe(FAMILY);
  expect((await planOf(sandbox, folder)).summary).toMatchObject({ unchanged: 5, unmanaged: 0 });
});

it("rm writes entries of `exclude`, and tombstones", async () => {
  const { sandbox, folder, after } = await beginFile(FAMILY, { links: ALL });
  const env = { LINKFORM_API_KEY: sandbox.apiKey };
  const keys = ["s-qr-us", "s-qr-de"];
  const { exit } = await runIn(folder, env, (world) => rm(world, { baseUrl: sandbox.url }, keys));
  expect(exit).toBe(0);
  const exclude = "    exclude:\n      - { c: qr, r: us }\n      - { c: qr, r: de }\n";
  const absent = "    go.example.com/s-qr-us: { id: 4 }\n    go.example.com/s-qr-de: { id: 3 }\n";
  expect(await after()).toBe(FAMILY.replace("# The end.\n", `${exclude}\nabsent:\n  links:\n${absent}# The end.\n`));
});
