// How the log of a CI system interprets a line: the runners' own rules, from their source.

import { nameIn } from "./runner.ts";

/** Colors, as terminals and logs remove them. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const COLOURS = /\u001b\[[\d;]*m/g;

/** Line ends for one of the readers. */
const LINES = /\r\n|[\n\r\u0085\u2028\u2029]/;

/** Characters that a terminal interprets, or that reverse the text around them. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const OBEYED = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/u;

/**
 * Why a log would interpret a line of this text, or a terminal a character; null if none does. Every command name counts, because
 * `stop-commands` makes any word a command. Only linkform's own, with one colon (frame.ts), is safe.
 */
export function obeyed(text: string): string | null {
  const sign = OBEYED.exec(text.replaceAll(COLOURS, ""));
  if (sign !== null)
    return `U+${(sign[0].codePointAt(0) ?? 0).toString(16)} in ${JSON.stringify(text.slice(sign.index - 30, sign.index + 30))}`;
  for (const line of text.split(LINES)) {
    for (const read of [line, line.replaceAll(COLOURS, "")]) {
      const name = nameIn(read);
      // Azure Pipelines looks for its prefix anywhere in a line, and TeamCity for its own.
      const other = /##(vso|teamcity)\[/i.exec(read)?.[0] ?? null;
      if ((name !== null && name !== ":") || other !== null) return JSON.stringify(line);
    }
  }
  return null;
}

/** Texts that are commands alone on a line, or anywhere. */
export const HOSTILE: readonly string[] = [
  "::set-output name=x::y",
  "   ::add-mask::x",
  "a\n::stop-commands::t\nb",
  "x\r\n ::error file=a::x",
  "##[add-mask]x",
  "###[group]x",
  "##vso[task.setvariable variable=a]b",
  "##teamcity[buildStop comment='x']",
  "##\u200b[error]x",
  "\u001b[31mred\u001b]0;title\u0007",
  "\u009b2J",
  "\u202edlrow\u2066",
  "\u2028::warning::x",
  "\u0085::warning::x",
  "section_start:1:x\r\u001b[0K",
  "\u200b::debug::x",
];
