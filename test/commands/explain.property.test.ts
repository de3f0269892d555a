// For random accounts and visitors: `explain --live` says what a visitor then really meets on the sandbox, which has its own idea
// of visits: the status, where it leads, the pages before, and the pixels they load. Fails if a step is decided otherwise or in
// another order, if a group is asked that is not in force, if a query is merged in another way, or if the table for everybody has
// other destinations than each visitor gets.

import fc from "fast-check";
import { expect, it } from "vitest";
import { explain } from "../../src/commands/explain.ts";
import type { ExplainFlags } from "../../src/commands/explain-question.ts";
import type { ExplainDocument, SideDocument } from "../../src/report/explain-document.ts";
import { startSandbox, type Link, type Sandbox } from "../../src/sandbox/index.ts";
import { OTHER_AGENT, SAMPLE_AGENTS } from "../../src/sandbox/visit/user-agent.ts";
import { send, type Answer } from "../sandbox/client.ts";
import { liveInput, randomLive } from "../support/live-random.ts";
import { LIVE_NOW } from "../support/live-rows.ts";
import { Random } from "../support/random.ts";
import { runIn, temporaryFolder } from "../support/scenario.ts";
import { runs } from "../support/states.ts";

const QUERIES = ["", "", "", "a=1", "a=2&utm_source=mail", "q", "%61=x&&b=", "ä=ö&a[]=9", "=x", "x=%zz", "&"] as const;
const TITLES = {
  "Link expired": "expired",
  "Link disabled": "disabled",
  "Password needed": "password",
  "One moment": "pixels",
};

interface Person {
  readonly country: string;
  readonly platform: string;
  readonly language: string;
}

function personOf(random: Random): Person {
  return {
    country: random.pick(["DE", "FR", "GB", "IN", "ZW", "other"]),
    platform: random.pick([...Object.keys(SAMPLE_AGENTS), "other"]),
    language: random.pick(["de", "no", "fr", "cy", "other"]),
  };
}

/** Follows the short URL as this person; with a password, as whoever has entered it. */
async function follow(
  { url }: Sandbox,
  path: string,
  { country, platform, language }: Person,
  password: string | null,
): Promise<Answer> {
  const headers = {
    "user-agent": SAMPLE_AGENTS[platform] ?? OTHER_AGENT,
    ...(country !== "other" && { "x-sandbox-country": country }),
    ...(language !== "other" && { "accept-language": `${language}-XX,en;q=0.9` }),
  };
  if (password === null) return send(url, path, { headers });
  const form = { ...headers, "content-type": "application/x-www-form-urlencoded" };
  return send(url, path, { method: "POST", headers: form, body: new URLSearchParams({ password }).toString() });
}

/** What a visitor meets, as the sandbox answers. */
async function met(sandbox: Sandbox, path: string, person: Person, link: Link): Promise<Partial<SideDocument>> {
  const pages: string[] = [];
  let answer = await follow(sandbox, path, person, null);
  const { status } = answer;
  const pageOf = (text: string): string | undefined =>
    Object.entries(TITLES).find(([title]) => text.includes(`<h1>${title}</h1>`))?.[1];
  let page = pageOf(answer.text);
  if (page === "password") {
    pages.push(page);
    answer = await follow(sandbox, path, person, link.password);
    page = pageOf(answer.text);
  }
  if (page !== undefined) pages.push(page);
  const header = Buffer.from(String(answer.headers["location"] ?? ""), "latin1").toString();
  // A page between says where it goes on to.
  const [, marked = ""] = /(?:Going on to|does not go on to) (.*)<\/p>/.exec(answer.text) ?? [];
  const location = page === "pixels" ? textOf(marked) : header;
  return {
    status: status === 301 ? 301 : 200,
    pages: pages.filter((one): one is SideDocument["pages"][number] => one !== ""),
    goes_to: location === "" ? [] : [{ who: { by: "all" }, url: location, source: null }],
  };
}

/** What a piece of a page says. */
function textOf(html: string): string {
  return html.replaceAll(/<[^>]*>/g, "").replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
}

it("says what the sandbox then answers", async () => {
  await fc.assert(
    fc.asyncProperty(liveInput({ links: 12, pixels: 6 }), fc.boolean(), async (input, isSpoiled) => {
      const seed = randomLive(input, { isSpoiled });
      let now = LIVE_NOW;
      const sandbox = await startSandbox({ rateLimit: 0, seed, now: () => new Date(now) });
      const folder = await temporaryFolder();
      const env = { LINKFORM_API_KEY: sandbox.apiKey };
      const random = new Random(input.seed + 7);
      const told = async (url: string, flags: ExplainFlags): Promise<SideDocument> => {
        const all = { ...flags, live: true, format: ["json"], baseUrl: sandbox.url, quiet: true };
        const { exit, out, err } = await runIn(folder, env, (world) => explain(world, url, all));
        expect({ exit, err, out: exit === 0 ? "" : out }).toEqual({ exit: 0, err: "", out: "" });
        const document: ExplainDocument = JSON.parse(out);
        const [side] = document.sides;
        if (side === undefined) throw new Error("nothing was explained");
        return side;
      };
      try {
        for (const { id } of seed.links) {
          const link = sandbox.state().links.find((one) => one.id === id);
          const domain = seed.domains.find((one) => one.id === link?.domain)?.name;
          if (link === undefined || domain === undefined) throw new Error("no such link");
          const query = random.pick(QUERIES);
          const person = personOf(random);
          const path = `/${domain}/${encodeURIComponent(link.alias)}${query === "" ? "" : `?${encodeURI(query).replaceAll("%25", "%")}`}`;
          const url = `https://${path.slice(1)}`;
          // Two rows of one key: nobody knows which one answers.
          if (
            seed.links.filter(
              (one) => one.domain === link.domain && one.alias.toLowerCase() === link.alias.toLowerCase(),
            ).length > 1
          )
            continue;
          const end = Date.parse(link.ends_at ?? LIVE_NOW);
          now = new Date(end + random.pick([-1, 0, 1, 60, 9_999_999]) * 1000).toISOString();
          const [one, all] = [await told(url, { ...person, at: now }), await told(url, { at: now })];
          const turn = link.last_rotation;
          const real = await met(sandbox, path, person, link);
          const about = { url, person };
          expect({ about, status: one.status, pages: one.pages }).toEqual({
            about,
            status: real.status,
            pages: real.pages,
          });
          expect({ about, status: all.status, pages: all.pages }).toEqual({
            about,
            status: real.status,
            pages: real.pages,
          });
          expect({ about, pixels: one.pixels }).toEqual({
            about,
            pixels: one.pages.includes("pixels")
              ? link.pixels.map((pixel) => seed.pixels.find((row) => row.id === pixel)?.name ?? "").toSorted()
              : [],
          });
          const isRotation = one.goes_to[0]?.who.by === "turn";
          const mine = isRotation ? one.goes_to[turn] : one.goes_to[0];
          const word = ["none", "country", "platform", "language", "rotation"][link.target_type];
          const is = Object.entries(person).find(([group]) => group === word)?.[1];
          const inTable = isRotation
            ? all.goes_to[turn]
            : (all.goes_to.find(({ who }) => who.by === "key" && who.key === is) ??
              all.goes_to.find(({ who }) => who.by === "others" || who.by === "all"));
          expect({ about, to: inTable?.url }).toEqual({ about, to: mine?.url });
          expect({ about, to: mine?.url }).toEqual({ about, to: real.goes_to?.[0]?.url });
        }
      } finally {
        await sandbox.close();
      }
    }),
    { numRuns: runs(25) },
  );
}, 120_000);
