// `linkform pull` into blocks with `utm`. Fails if a change of a UTM parameter is written into the URL, if another change of the address
// is not, if anything else of a file changes, or if a plan is not empty afterwards.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SeedState } from "../../src/sandbox/index.ts";
import { applyUtm, isUtmValue, UTM_KEYS, type UtmValues } from "../../src/domain/utm.ts";
import { beginPulling, HEAD, link } from "../support/pulling.ts";
import { textsOf } from "../support/scenario.ts";
import { runs } from "../support/states.ts";

type LinkSeed = NonNullable<SeedState["links"]>[number];

const PROJECT = `${HEAD}rules: { utm-incomplete: off, utm-twice: off, utm-case: off, utm-unknown: off, utm-fragment: off }\n`;
const DEFAULTS = "defaults: { link: { domain: go.example.com, utm: { medium: social, campaign: spring } } }\n";

/** The text of a file after a pull, without its lines before `links`. */
async function pulled(block: string, live: readonly LinkSeed[], head = DEFAULTS): Promise<string> {
  const files = { "linkform.yaml": PROJECT, "links/a.yaml": `${head}links:\n${block}` };
  const { converge, text } = await beginPulling(files, { links: live });
  await converge();
  const after = (await text("links/a.yaml")) ?? "";
  expect(after.startsWith(`${head}links:\n`)).toBe(true);
  return after.slice(`${head}links:\n`.length);
}

const at = (query: string): LinkSeed => link("a", { url: `https://example.com/${query}` });
const BLOCK = "  a: { url: https://example.com/, utm: { source: insta } } # ours\n";

it.each<[of: string, query: string, expected: string, block?: string]>([
  ["nothing", "?utm_source=insta&utm_medium=social&utm_campaign=spring", BLOCK],
  ["its own value", "?utm_source=tiktok&utm_medium=social&utm_campaign=spring", BLOCK.replace("insta", "tiktok")],
  ["the path", "new?utm_source=insta&utm_medium=social&utm_campaign=spring", BLOCK.replace("com/", "com/new")],
  [
    "another parameter",
    "?x=%2f&utm_source=insta&utm_medium=social&utm_campaign=spring#top",
    BLOCK.replace("com/,", "com/?x=%2f#top,"),
  ],
  [
    "an inherited value",
    "?utm_source=insta&utm_medium=paid&utm_campaign=spring",
    BLOCK.replace("insta }", "insta, medium: paid }"),
  ],
  [
    "an inherited value is gone",
    "?utm_source=insta&utm_campaign=spring",
    BLOCK.replace("insta }", "insta, medium: null }"),
  ],
  ["its own value is gone", "?utm_medium=social&utm_campaign=spring", "  a: { url: https://example.com/ } # ours\n"],
  [
    "a new value",
    "?utm_source=insta&utm_medium=social&utm_campaign=spring&utm_term=null",
    BLOCK.replace("insta }", 'insta, term: "null" }'),
  ],
  ["no value is left", "", BLOCK.replace("{ source: insta }", "none")],
  [
    "another order",
    "?utm_medium=social&utm_source=insta&utm_campaign=spring",
    "  a: { url: https://example.com/?utm_medium=social&utm_source=insta&utm_campaign=spring, utm: none } # ours\n",
  ],
  [
    "the default again",
    "?utm_source=insta&utm_medium=social&utm_campaign=spring",
    BLOCK,
    BLOCK.replace("insta }", "insta, medium: paid }"),
  ],
  [
    "a parameter that the block has in its URL",
    "new?utm_term=x&utm_source=tiktok&utm_medium=social&utm_campaign=spring",
    BLOCK.replace("com/", "com/new?utm_term=x").replace("insta", "tiktok"),
    BLOCK.replace("com/", "com/?utm_term=x"),
  ],
])("a manual change of a link with utm: %s", async (_, query, expected, block = BLOCK) => {
  expect(await pulled(block, [at(query)])).toBe(expected);
});

it("a manual change of a link with utm is about all destinations", async () => {
  const block = `  a:
    url: https://example.com/
    utm: { source: insta }
    targeting:
      country:
        DE: https://example.com/de # the shop
        FR: https://example.com/fr
`;
  const query = "?utm_source=tiktok&utm_medium=social&utm_campaign=spring";
  const target = (key: string, url: string): { key: string; value: string } => ({
    key,
    value: `https://example.com/${url}`,
  });
  const targets = [target("DE", `de${query}`), target("FR", `paris${query}`)];
  const live = { ...at(query), target_type: 1, country: targets };
  expect(await pulled(block, [live])).toBe(block.replace("insta", "tiktok").replace("com/fr", "com/paris"));
});

describe("a new link", () => {
  const old = at("?utm_source=insta&utm_medium=social&utm_campaign=spring");
  const fresh = (query: string): LinkSeed => link("b", { url: `https://example.com/${query}` });

  it.each([
    [
      "?x=1&utm_source=mail&utm_medium=social&utm_campaign=spring",
      "  b: { url: https://example.com/?x=1, utm: { source: mail } }\n",
    ],
    ["?utm_source=mail", "  b: { url: https://example.com/, utm: { source: mail, medium: null, campaign: null } }\n"],
    ["", "  b: { url: https://example.com/, utm: none }\n"],
    [
      "?utm_campaign=x&utm_source=mail",
      '  b: { url: "https://example.com/?utm_campaign=x&utm_source=mail", utm: none }\n',
    ],
  ])("%s", async (query, expected) => {
    const after = await pulled(BLOCK, [old, fresh(query)]);
    expect(after.replaceAll('"', "")).toBe(BLOCK + expected.replaceAll('"', ""));
  });

  it("has no utm in a project without it", async () => {
    const block = '  a: { url: "https://example.com/?utm_source=a" }\n';
    const after = await pulled(
      block,
      [at("?utm_source=a"), fresh("?utm_source=b")],
      "defaults: { link: { domain: go.example.com } }\n",
    );
    expect(after).not.toContain("utm:");
  });

  it("has utm in a project that lists the allowed values", async () => {
    const files = { "linkform.yaml": `${PROJECT}utm: { source: [mail] }\n` };
    const { folder, converge } = await beginPulling(files, { links: [fresh("?utm_source=mail#top")] });
    await converge();
    const [, after] = [...(await textsOf(folder))].find(([file]) => file.startsWith("links/")) ?? [];
    expect(after).toContain("url: https://example.com/#top\n    utm: { source: mail }\n");
  });
});

const PARAMETERS =
  "a=1 b=%2F c utm_source= utm_source=news utm_source=a+b utm_source=ü utm_medium=a%20b utm_campaign=null utm_term=%20x utm%5Fid=7 UTM_ID=1 utm_x=%zz ?";
const parameter = fc.constantFrom("", ...PARAMETERS.split(" "));
const address = fc
  .tuple(
    fc.constantFrom("https://example.com/", "http://example.com", "shop-app://page"),
    fc.array(parameter, { maxLength: 5 }),
    fc.constantFrom("", "#", "#?utm_source=x"),
  )
  .map(([start, parameters, end]) => `${start}${parameters.length === 0 ? "" : `?${parameters.join("&")}`}${end}`);
const value = fc
  .oneof(fc.constantFrom("news", "a b", "social", "null", "2027"), fc.string({ minLength: 1, maxLength: 5 }))
  .filter(isUtmValue);
const utm = fc
  .record(Object.fromEntries(UTM_KEYS.map((key) => [key, value])), { requiredKeys: [] })
  .map(
    (values): UtmValues => new Map(UTM_KEYS.flatMap((key) => (values[key] === undefined ? [] : [[key, values[key]]]))),
  );
/** An address with parameters that linkform appended, or with any parameters. */
const liveAddress = fc.oneof(
  address,
  fc.tuple(address, utm).map(([text, values]) => applyUtm(text, values).url),
);

it("any address is pulled so that a plan is empty", async () => {
  const links = fc.array(
    fc.record({
      live: liveAddress,
      others: fc.array(liveAddress, { maxLength: 2 }),
      written: address,
      own: fc.option(utm),
      isNew: fc.boolean(),
    }),
    { minLength: 8, maxLength: 20 },
  );
  await fc.assert(
    fc.asyncProperty(links, fc.option(utm), fc.boolean(), async (all, defaults, isListed) => {
      const inherited = defaults === null ? {} : { utm: Object.fromEntries(defaults) };
      const blocks = all.flatMap(({ written, own }, index) => {
        const block = { url: written, ...(own !== null && { utm: Object.fromEntries(own) }) };
        const effective = new Map([...(defaults ?? []), ...(own ?? [])]);
        const isFree = applyUtm(written, effective).conflicts.length === 0;
        return all[index]?.isNew === true || !isFree ? [] : [[`go.example.com/a${index}`, block] as const];
      });
      const files = {
        "linkform.yaml": `${PROJECT}${isListed ? 'utm: { id: ".*" }\n' : ""}`,
        "links/a.yaml": JSON.stringify({ defaults: { link: inherited }, links: Object.fromEntries(blocks) }),
      };
      const rows = all.map(({ live, others }, index) => {
        const rotation = others.map((one) => ({ value: one }));
        return link(`a${index}`, { url: live, ...(rotation.length > 0 && { target_type: 4, rotation }) });
      });
      const { sandbox, converge } = await beginPulling(files, { links: rows });
      await converge();
      await sandbox.close();
    }),
    { numRuns: runs(8) },
  );
});
