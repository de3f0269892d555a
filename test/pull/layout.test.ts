// The texts of new files: shared defaults, order, names of files and variables, and records that cannot be declared.

import { expect, it } from "vitest";
import type { PullFlags } from "../../src/pull/command.ts";
import type { SeedState } from "../../src/sandbox/index.ts";
import { beginPulling, expectEmptyPlan, HEAD, link } from "../support/pulling.ts";
import { itWhere } from "../support/sandbox.ts";
import { textsOf } from "../support/scenario.ts";

interface LaidOut {
  readonly out: string;
  readonly texts: ReadonlyMap<string, string>;
}

async function laidOut(
  seed: SeedState,
  text = "",
  flags: PullFlags = {},
  files: Readonly<Record<string, string>> = {},
): Promise<LaidOut> {
  const { folder, sandbox, pull } = await beginPulling({ "linkform.yaml": HEAD + text, ...files }, seed);
  const { exit, out, err } = await pull(flags);
  expect({ exit, err: exit === 0 ? "" : err }).toEqual({ exit: 0, err: "" });
  await expectEmptyPlan(sandbox, folder);
  const all = await textsOf(folder);
  return { out, texts: new Map([...all].filter(([file]) => file !== "linkform.yaml" && files[file] === undefined)) };
}

const ACCOUNT: SeedState = {
  account: { timezone: "Europe/Berlin" },
  pixels: [
    { name: "Meta: main", type: "facebook", value: "0123456" },
    { name: "Bing", type: "bing", value: "1234567" },
  ],
  links: [
    link("spring-sale", {
      space: 1,
      pixels: [1, 2],
      password: "x",
      privacy: 1,
      ends_at: "2027-03-31T21:59:00.000Z",
      expiration_clicks: 5000,
      expiration_url: "https://example.com/over",
      target_type: 1,
      country: [{ key: "DE", value: "https://example.com/de" }],
    }),
    link("Autumn", { space: 1, privacy: 1 }),
    link("übersicht", { space: 1, privacy: 1, disabled: 1 }),
    link("2024", { space: 2 }),
    link("winter", { space: 1, privacy: 1, ends_at: "2027-03-31T21:59:07.000Z" }),
    link("summer-sale", { space: 1, privacy: 1, pixels: [2] }),
    link("imprint", { privacy: 2, privacy_password: "y" }),
    link("two", { domain: 3, target_type: 0, platform: [{ key: "OS X", value: "https://example.com/mac" }] }),
    link("Twin"),
    link("twin"),
    link("broken", { url: `https://example.com/${"a".repeat(2048)}` }),
  ],
};

const shown = ({ texts }: LaidOut): string => [...texts].map(([file, text]) => `=== ${file}\n${text}`).join("");

itWhere("several or inactive target groups")(
  "writes values that all links share as defaults, and the others in each block",
  async () => {
    const layout = await laidOut(ACCOUNT);
    await expect(shown(layout)).toMatchFileSnapshot("../fixtures/adopt/layout.txt");
    for (const said of [
      "files cannot express its expiration.date, so the live state is kept",
      "skipped link go.example.com/Twin: it cannot be declared: another live object has the same key",
      "skipped link go.example.com/broken: it cannot be declared: its url has 2068 characters, but the maximum is 2048",
    ])
      expect(layout.out).toContain(said);
  },
);

itWhere("several or inactive target groups")(
  "does not repeat the project's defaults, and overrides those that differ",
  async () => {
    const text = `domains: { go: { id: 2, name: go.example.com } }
defaults:
  link: { domain: go, space: Marketing, privacy: private, disabled: true, pixels: [Bing], expiration: { time: "18:00", clicks: 7 } }
`;
    await expect(shown(await laidOut(ACCOUNT, text, { split: "file" }))).toMatchFileSnapshot(
      "../fixtures/adopt/layout-defaults.txt",
    );
  },
);

const many = (count: number, more: (at: number) => object = () => ({})): SeedState => ({
  spaces: [{ name: "Marketing" }, { name: "Sales/EU" }],
  links: Array.from({ length: count }, (_, at) => link(`l${at}`, more(at))),
});
it.each<[string, SeedState, PullFlags, string[]]>([
  [
    "by space if requested",
    many(4, (at) => ({ space: [1, 2, null][at % 3] })),
    { split: "space" },
    ["links/no-space.yaml", "links/marketing.yaml", "links/sales-eu.yaml"],
  ],
  ["none for an empty account", { links: [] }, {}, []],
])("splits links into files %s", async (_, seed, flags, files) => {
  const { texts } = await laidOut(seed, "", flags);
  expect([...texts.keys()].toSorted()).toEqual(files.toSorted());
});

it("splits links into files with a name that no other file or folder has", async () => {
  const others = { "links/Links.yaml": "pixels: {}\n", "links/links-2.yaml/notes.txt": "" };
  const { texts } = await laidOut(many(2), "", {}, others);
  expect([...texts.keys()]).toEqual(["links/links-3.yaml"]);
});
