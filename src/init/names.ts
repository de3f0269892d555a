// Which domains and spaces a new project is about: as flags name them, or as a person chooses among those of the account.

import { plural } from "../view/counts.ts";
import { isLabel, labelled, type ProjectAnswers } from "./new-project.ts";
import { UserError } from "../errors.ts";
import type { FoundAccount } from "./account.ts";
import { wrongFlag } from "./flags.ts";
import type { Questions } from "../session/questions.ts";

export type What = "domain" | "space";

/**
 * What is chosen: what flags name; else what a person chooses; else all there are. `found` is null where the service was not
 * asked. Throws a user error for a name that means none or several.
 */
export async function chooseNames(
  what: What,
  given: readonly string[] | undefined,
  found: readonly FoundAccount[] | null,
  ask: Questions | null,
): Promise<ProjectAnswers[]> {
  if (given !== undefined) return labelled(eachOnce(given.map((text) => meant(what, text, found))));
  if (ask === null) return labelled(found ?? []);
  if (found === null || (found.length === 0 && what === "domain")) return typedIn(what, found, ask);
  const all = labelled(found);
  if (all.length < 2) return all;
  const options = all.map(({ label, id, name }) => ({
    value: label,
    label: label === name ? name : `${name} (${id})`,
  }));
  const question = `Which ${what}s are these files about? The account has ${all.length}.`;
  const chosen = await ask.chooseSome(
    question,
    options,
    options.map(({ value }) => value),
  );
  return all.filter(({ label }) => chosen.includes(label));
}

async function typedIn(what: What, found: readonly FoundAccount[] | null, ask: Questions): Promise<ProjectAnswers[]> {
  const example = what === "domain" ? "go.example.com, promo.example.com=3" : "Marketing, Sales=2";
  const read = (text: string): ProjectAnswers[] =>
    labelled(eachOnce(parts(text).map((part) => meant(what, part, found))));
  const check = (text: string): string | null => {
    try {
      read(text);
      return null;
    } catch (cause) {
      if (cause instanceof UserError) return `${cause.message} ${cause.hint ?? ""}`;
      throw cause;
    }
  };
  const about = what === "domain" ? "The domains of your short links" : "The spaces of your links";
  const question = `${about}, with commas between them; NAME=ID where you know the service's number. None: leave it empty.`;
  return read(await ask.text(question, { example }, check));
}

function parts(text: string): string[] {
  return text.split(",").flatMap((part) => part.trim() || []);
}

/** What a person means by `NAME` or `NAME=ID`. */
function meant(what: What, text: string, found: readonly FoundAccount[] | null): Omit<ProjectAnswers, "label"> {
  const [, name = "", number = ""] = /^\s*(.*?)\s*(?:=\s*(\d+)\s*)?$/s.exec(text) ?? [];
  const id = number === "" ? null : Number(number);
  const wrong = (message: string, hint: string): UserError => wrongFlag(`wrong-${what}`, message, hint);
  if (!isLabel(name) || (id !== null && (id < 1 || !Number.isSafeInteger(id)))) {
    const example = what === "domain" ? "go.example.com, or go.example.com=2" : "Marketing, or Marketing=1";
    throw wrong(`\`${text}\` is no name of a ${what}.`, `Write it as ${example}.`);
  }
  const folded = name.toLowerCase();
  const named = (found ?? []).filter((row) => row.name.trim().toLowerCase() === folded);
  const [row, ...others] = id === null ? named : (found ?? []).filter((each) => each.id === id);
  if (others.length > 0)
    throw wrong(
      `${named.length} ${what}s are named \`${name}\`: ids ${named.map((each) => each.id).join(", ")}.`,
      `Say which is meant: ${name}=${row?.id ?? ""}.`,
    );
  if (row !== undefined && row.name.trim().toLowerCase() !== folded)
    throw wrong(
      `The service calls ${what} ${row.id} \`${row.name}\`, not \`${name}\`.`,
      "Correct the name or the number.",
    );
  if (row !== undefined) return row;
  const [elsewhere] = named;
  if (elsewhere !== undefined)
    throw wrong(
      `To the service \`${name}\` is ${what} ${elsewhere.id}, not ${number}.`,
      `Write ${name}=${elsewhere.id}.`,
    );
  if (id !== null || found === null) return { id, name, isListed: false };
  const there = found.length === 0 ? "none" : found.map((each) => each.name).join(", ");
  throw wrong(
    `The service names no ${what} \`${name}\`; of ${plural(found.length, what)} that it names: ${there}.`,
    `Correct the name; or if it is one that the service does not show, give its number too: ${name}=ID.`,
  );
}

function eachOnce(rows: readonly Omit<ProjectAnswers, "label">[]): Omit<ProjectAnswers, "label">[] {
  return [...new Map(rows.map((row) => [`${row.id ?? ""} ${row.name.toLowerCase()}`, row])).values()];
}

/** The label of one that has been chosen, by its label, name or number. Throws a user error for any other. */
export function labelAmong(what: What, flag: string, text: string, chosen: readonly ProjectAnswers[]): string {
  const folded = text.trim().toLowerCase();
  const found =
    chosen.find(({ label }) => label.toLowerCase() === folded) ??
    chosen.find(({ id }) => String(id) === folded) ??
    chosen.find(({ name }) => name.trim().toLowerCase() === folded);
  if (found !== undefined) return found.label;
  const labels = chosen.map(({ label }) => label).join(", ");
  throw wrongFlag(
    `wrong-${what}`,
    `\`${flag} ${text}\` names no ${what} that these files are about.`,
    chosen.length === 0 ? `Name it with --${what}.` : `It can be one of: ${labels}.`,
  );
}
