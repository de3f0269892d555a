// Rules about UTM parameters, by which analytics tools tell campaigns apart.

import { nearest } from "../../domain/nearest.ts";
import type { Remark } from "./advice.ts";

interface Parameter {
  readonly name: string;
  /** It goes together with the others that are needed. */
  readonly isNeeded: boolean;
  /** It is a word of people's own, which tools split by case; an id is matched as it was given out. */
  readonly isWord: boolean;
}

/** As Google Analytics 4 reads them. */
const PARAMETERS: readonly Parameter[] = [
  { name: "utm_source", isNeeded: true, isWord: true },
  { name: "utm_medium", isNeeded: true, isWord: true },
  { name: "utm_campaign", isNeeded: true, isWord: true },
  { name: "utm_term", isNeeded: false, isWord: true },
  { name: "utm_content", isNeeded: false, isWord: true },
  { name: "utm_source_platform", isNeeded: false, isWord: true },
  { name: "utm_creative_format", isNeeded: false, isWord: true },
  { name: "utm_marketing_tactic", isNeeded: false, isWord: true },
  { name: "utm_id", isNeeded: false, isWord: false },
];

const PREFIX = "utm_";
const NAMES: readonly string[] = PARAMETERS.map(({ name }) => name);

/** What they all begin with says nothing of which is meant. */
const TAILS: readonly string[] = NAMES.map((name) => name.slice(PREFIX.length));

/** A parameter of the address; `means` is the one that it is or was meant to be. */
interface GivenParameters {
  readonly written: string;
  readonly value: string;
  readonly means: string | null;
}

/** What is to be said of the parameters of a destination; `name` is what a sentence calls it. */
export function utmRemarks(url: URL, name: string): Remark[] {
  if (!/utm/i.test(url.search) && !/utm/i.test(url.hash)) return [];
  const given = [...url.searchParams].flatMap(([written, value]) => readParameter(written, value));
  return [
    ...unknown(given, name),
    ...incomplete(given, name),
    ...twice(given, name),
    ...inCapitals(given, name),
    ...inFragment(url.hash, name),
  ];
}

/** `amp;` is left where `&` was copied from a page's source. */
function readParameter(written: string, value: string): GivenParameters[] {
  if (NAMES.includes(written)) return [{ written, value, means: written }];
  const [, bar, tail] = /^(?:amp;)*utm([_-]?)(.*)$/is.exec(written) ?? [];
  const meant = tail === undefined ? null : nearest(tail, TAILS);
  if (meant === null) return bar === "_" ? [{ written, value, means: null }] : [];
  return [{ written, value, means: `${PREFIX}${meant}` }];
}

function unknown(given: readonly GivenParameters[], name: string): Remark[] {
  return given.flatMap(({ written, means }): Remark[] => {
    if (written === means) return [];
    const message = `${name} has \`${written}\`, which is no UTM parameter that tools know.`;
    const hint = means === null ? `Known are: ${NAMES.join(", ")}.` : `Did you mean \`${means}\`?`;
    return [{ rule: "utm-unknown", message, hint, mark: written }];
  });
}

function incomplete(given: readonly GivenParameters[], name: string): Remark[] {
  const filled = new Set(given.flatMap(({ means, value }) => (value === "" ? [] : (means ?? []))));
  const missing = PARAMETERS.filter((one) => one.isNeeded && !filled.has(one.name)).map((one) => one.name);
  if (!given.some(({ means }) => means !== null) || missing.length === 0) return [];
  const message = `${name} has UTM parameters, but no ${missing.join(", no ")}.`;
  return [
    { rule: "utm-incomplete", message, hint: "Source, medium and campaign go together: reports need all three." },
  ];
}

function twice(given: readonly GivenParameters[], name: string): Remark[] {
  const repeated = NAMES.filter((one) => given.filter(({ means }) => means === one).length > 1);
  return repeated.map((one) => {
    const message = `${name} has \`${one}\` twice, and tools take one of the two.`;
    return { rule: "utm-twice", message, hint: "Keep one.", mark: `${one}=` };
  });
}

function inCapitals(given: readonly GivenParameters[], name: string): Remark[] {
  const words = given.filter(({ means }) => PARAMETERS.some((one) => one.isWord && one.name === means));
  return words.flatMap(({ written, means, value }): Remark[] => {
    const small = value.toLowerCase();
    if (value === small) return [];
    const message = `${name} has capital letters in \`${means}=${value}\`: reports count \`${value}\` and \`${small}\` apart.`;
    const hint = `Write it in small letters: \`${means}=${small}\`.`;
    return [{ rule: "utm-case", message, hint, mark: `${written}=${value}` }];
  });
}

function inFragment(hash: string, name: string): Remark[] {
  const found = /[#&?](utm_[a-z_]+)=/i.exec(hash)?.[1];
  if (found === undefined) return [];
  const message = `${name} has \`${found}\` behind the \`#\`, where tools don't look.`;
  return [{ rule: "utm-fragment", message, hint: "Put the parameters before the `#`.", mark: hash }];
}
