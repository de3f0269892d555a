// For random accounts and visitors, on each version: `explain --live` matches the sandbox, which implements visits on its own: the
// status, the destination, the pages before it, the pixels, and the destination of visitors who accept them.
// Fails if a step has another result or order, if another group or another of its entries is used,
// or if the table of all visitors has other destinations than each visitor gets.

import fc from "fast-check";
import { expect, it } from "vitest";
import { explain } from "../../src/explain/command.ts";
import type { ExplainFlags, VisitorFlags } from "../../src/explain/question.ts";
import type { ExplainDocument, SideDocument } from "../../src/report/json/explain.ts";
import { SOFTWARE, type Link, type Sandbox, type Software } from "../../src/sandbox/index.ts";
import { browserOf, deviceOf, platformOf } from "../../src/sandbox/visit/visitor.ts";
import { send, type Answer } from "../sandbox/client.ts";
import { OTHER_AGENT, SAMPLE_AGENTS, SAMPLE_BROWSERS, SAMPLE_DEVICES } from "../support/agents.ts";
import { liveInput, randomLive } from "../support/live-random.ts";
import { LIVE_NOW } from "../support/live-rows.ts";
import { Random } from "../support/random.ts";
import { startSandbox } from "../support/sandbox.ts";
import { runIn, temporaryFolder } from "../support/scenario.ts";
import { runs } from "../support/states.ts";

const TITLES = {
  "Link expired": "expired",
  "Link disabled": "disabled",
  "Password needed": "password",
  "Sensitive content": "warning",
  "Before you continue": "pixels",
};

interface Person {
  readonly country: string;
  readonly continent: string;
  /** `Accept-Language`; `other`: none. */
  readonly language: string;
  readonly agent: string;
  readonly crawler: boolean;
}

const AGENTS = [SAMPLE_AGENTS, SAMPLE_BROWSERS, SAMPLE_DEVICES, { other: OTHER_AGENT }].flatMap(Object.values);

function personOf(random: Random): Person {
  return {
    country: random.pick(["DE", "FR", "GB", "IN", "ZW", "other"]),
    continent: random.pick(["EU", "AS", "OC", "other"]),
    language: random.pick(["de", "no", "fr", "de-XX,en;q=0.9", "DE", "DE-de", "no-NO", "fr,de;q=0.1", "cy", "other"]),
    agent: random.pick(AGENTS),
    crawler: random.chance(0.2),
  };
}

/** The visitor's flags for `explain`. */
function flagsOf({ country, continent, language, agent, crawler }: Person): Required<VisitorIs> {
  return {
    country,
    continent,
    language,
    platform: platformOf(agent) ?? "other",
    browser: browserOf(agent) ?? "other",
    device: deviceOf(agent) ?? "other",
    crawler,
  };
}

type VisitorIs = Omit<VisitorFlags, "at" | "clicks">;

/** Follows the short URL as this visitor, with the entries on the pages before. */
async function follow(
  { url }: Sandbox,
  path: string,
  { country, continent, language, agent, crawler }: Person,
  entered: Readonly<Record<string, string>>,
): Promise<Answer> {
  const headers = {
    "user-agent": crawler ? "Twitterbot/1.0" : agent,
    ...(country !== "other" && { "x-sandbox-country": country }),
    ...(continent !== "other" && { "x-sandbox-continent": continent }),
    ...(language !== "other" && { "accept-language": language }),
  };
  if (Object.keys(entered).length === 0) return send(url, path, { headers });
  const form = { ...headers, "content-type": "application/x-www-form-urlencoded" };
  return send(url, path, { method: "POST", headers: form, body: new URLSearchParams(entered).toString() });
}

type Met = Pick<SideDocument, "status" | "pages"> & {
  readonly to: string | undefined;
  readonly accepted: string | undefined;
};

/** The visit according to the sandbox. */
async function met(sandbox: Sandbox, path: string, person: Person, link: Link): Promise<Met> {
  const pages: string[] = [];
  const entered: Record<string, string> = {};
  let accepted: string | undefined;
  let answer = await follow(sandbox, path, person, entered);
  const { status } = answer;
  for (;;) {
    const { text } = answer;
    const page = Object.entries(TITLES).find(([title]) => text.includes(`<h1>${title}</h1>`))?.[1];
    if (answer.status === 500) pages.push("error");
    if (page === undefined) break;
    pages.push(page);
    if (page === "password") entered["password"] = String(link.password);
    else if (page === "warning") entered["warned"] = "1";
    else if (page === "pixels") {
      // The sandbox does not count a crawler, so the click limit is the same for the other answer.
      const loads = await follow(sandbox, path, { ...person, crawler: true }, { ...entered, consent: "accepted" });
      // The page has the next address.
      accepted = textOf(/(?:Going on to|does not go on to) (.*)<\/p>/.exec(loads.text)?.[1] ?? "");
      entered["consent"] = "refused";
    } else break;
    answer = await follow(sandbox, path, person, entered);
  }
  const location = answer.headers["location"];
  return {
    status: status === 301 || status === 500 ? status : 200,
    pages: pages.filter((one): one is SideDocument["pages"][number] => one !== ""),
    to: location === undefined ? undefined : Buffer.from(String(location), "latin1").toString(),
    accepted,
  };
}

/** The text of a part of a page. */
function textOf(html: string): string {
  return html.replaceAll(/<[^>]*>/g, "").replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
}

const GROUPS = ["none", "country", "platform", "language", "rotation", "continent", "browser", "device"] as const;

/** The link in a form that version 49 can store: one group, no `disabled`, a period with two ends, or one. */
function as49(link: Link, random: Random): Link {
  const { disabled: _, ...plain } = link;
  const type = random.chance(0.3) ? random.between(5, 7) : (link.target_type ?? 0);
  const entries = (keys: readonly string[]): Link["country"] =>
    random.some(keys, 3).map((key) => ({ key, value: `https://example.com/${encodeURIComponent(key)}` }));
  const end = link.ends_at !== null && link.ends_at > "1971" && link.ends_at < "2037" ? link.ends_at : null;
  const start = end === null ? null : new Date(Date.parse(end) - random.pick([60, 9_999_999]) * 1000).toISOString();
  return {
    ...plain,
    disabled: 0,
    ends_at: end,
    // An end alone has no effect.
    ...(start !== null &&
      random.chance(0.85) && { starts_at: random.chance(0.7) ? start : "1970-01-02T00:00:00.000Z" }),
    sensitive: random.chance(0.3) ? 1 : 0,
    target_type: type,
    country: type === 1 ? link.country : null,
    platform: type === 2 ? link.platform : null,
    language: type === 3 ? link.language : null,
    rotation: type === 4 ? link.rotation : null,
    ...(type === 5 && { continent: entries(["EU", "AS", "NA"]) }),
    ...(type === 6 && { browser: entries(["Chrome", "Firefox", "Safari", "Edge"]) }),
    ...(type === 7 && { device: entries(["desktop", "mobile", "tablet"]) }),
  };
}

const typeOn = (software: Software, type: string): string =>
  type === "twitter" && (software === "44" || software === "49") ? "x" : type;

/** The key that is looked up in a link's language group. */
const keyOf = ({ language }: Person, software: Software): string =>
  software === "49" || language.length < 3 ? language : language.slice(0, 2).toLowerCase();

/** Unusual accounts: several gates at once, duplicate keys, empty entries, odd destinations. */
function odd(link: Link, random: Random): Link {
  const url = random.chance(0.3)
    ? random.pick([
        "https://user:pw@example.com:8443/p?a=1&b=2&a=3#frag",
        "https://example.com",
        "https://[2001:db8::1]:8443?x[]=1&x[]=2&a.b=1#a?b",
        "myapp://open/x?y=1;z=2&q=a%20b",
        "https://EXAMPLE.com:443/ä/%20x?e=&f&%FF=%ff",
      ])
    : link.url;
  const twice = (group: Link["country"]): Link["country"] =>
    Array.isArray(group) && random.chance(0.3) ? [...group, ...group.map((one) => ({ ...one, value: url }))] : group;
  return {
    ...link,
    url,
    disabled: random.chance(0.3) ? 1 : link.disabled,
    password: random.chance(0.2) ? random.pick(["0", "secret"]) : link.password,
    ends_at: random.chance(0.2) ? "2020-01-01T00:00:00.000Z" : link.ends_at,
    expiration_url: random.chance(0.3) ? url : link.expiration_url,
    target_type: random.chance(0.1) ? random.between(1, 4) : link.target_type,
    country: twice(link.country),
    platform: twice(link.platform),
    language: twice(link.language),
    rotation: random.chance(0.1)
      ? random.pick([{ 1: { value: url } }, { 0: { value: url }, 2: { value: url } }, []])
      : link.rotation,
  };
}

it.each(SOFTWARE)(
  "matches the sandbox on %s",
  async (version) => {
    await fc.assert(
      fc.asyncProperty(liveInput({ links: 12, pixels: 6 }), fc.boolean(), async (input, isSpoiled) => {
        const plain = randomLive(input, { isSpoiled });
        const changed = new Random(input.seed + 9);
        const odds = plain.links.map((link) => odd(link, changed));
        const seed = {
          ...plain,
          pixels: plain.pixels.map((pixel) => ({ ...pixel, type: typeOn(version, pixel.type) })),
          links: version === "49" ? odds.map((link) => as49(link, changed)) : odds,
        };
        let now = LIVE_NOW;
        const sandbox = await startSandbox({ rateLimit: 0, seed, software: version, now: () => new Date(now) });
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
            const person = personOf(random);
            const path = `/${domain}/${encodeURIComponent(link.alias)}`;
            const url = `https://${path.slice(1)}`;
            // It is undefined which of two records with one key answers.
            if (
              seed.links.filter(
                (one) => one.domain === link.domain && one.alias.toLowerCase() === link.alias.toLowerCase(),
              ).length > 1
            )
              continue;
            // A start in 1970 is in the past for all visitors.
            const edges = [link.starts_at ?? "", link.ends_at ?? ""].filter((one) => one > "1971");
            const edge = Date.parse(random.pick([...edges, ...(edges.length === 0 ? [LIVE_NOW] : [])]));
            now = new Date(edge + random.pick([-1, 0, 1, 60, 9_999_999]) * 1000).toISOString();
            const { crawler } = person;
            const [one, all] = [
              await told(url, { ...flagsOf(person), at: now }),
              await told(url, { crawler, at: now }),
            ];
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
            const word = GROUPS[link.target_type ?? 0];
            const is =
              word === "language"
                ? keyOf(person, version)
                : Object.entries(flagsOf(person)).find(([group]) => group === word)?.[1];
            const inTable = isRotation
              ? all.goes_to[turn]
              : (all.goes_to.find(({ who }) => who.by === "key" && who.key === is) ??
                all.goes_to.find(({ who }) => who.by === "others" || who.by === "all"));
            expect({ about, to: inTable?.url }).toEqual({ about, to: mine?.url });
            expect({ about, to: mine?.url }).toEqual({ about, to: real.to });
            expect({ about, to: one.after_consent?.url }).toEqual({ about, to: real.accepted });
          }
        } finally {
          await sandbox.close();
        }
      }),
      { numRuns: runs(8) },
    );
  },
  3_600_000,
);
