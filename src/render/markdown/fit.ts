// A report made to fit: of its blocks, each has forms from the richest to the poorest, and what matters least gives way first.

import type { Setting } from "../format.ts";
import { code, link } from "./inline.ts";
import { markerOf } from "./marker.ts";
import { shorten } from "../../view/spans.ts";

/** One way to tell a block. */
export interface Form {
  /** Draws it; null where it is longer than `most` characters, so that nothing is drawn for nothing. */
  readonly draw: (most: number) => string | null;
  /** When it gives way to the next form: lower ones go first. The last form of a block stays. */
  readonly stage: number;
}

/** Part of a report; the last of its forms must be short. */
export type ReportBlock = readonly [Form, ...Form[]];

/** A block that always stays as it is. */
export function fixed(text: string): ReportBlock {
  return [{ draw: () => text, stage: Infinity }];
}

/** Forms, each with the stage at which it gives way; then nothing. They are drawn when they are needed. */
export function texts(...forms: readonly (readonly [stage: number, draw: () => string])[]): ReportBlock {
  const [first, ...rest] = forms.map(([stage, draw]): Form => ({
    draw: (most) => {
      const text = draw();
      return text.length <= most ? text : null;
    },
    stage,
  }));
  const nothing: Form = { draw: () => "", stage: Infinity };
  return first === undefined ? [nothing] : [first, ...rest, nothing];
}

/**
 * The richest report that fits: where something had to give way, it ends with where the rest is. `again`: the command that
 * would say it all once more; null of an apply, which nothing repeats.
 */
export function fit(blocks: readonly ReportBlock[], setting: Setting, again: string | null): string {
  const most = setting.maxLength;
  const drawn = new Map<Form, string | null>();
  const draw = (form: Form): string | null => {
    const known = drawn.get(form);
    if (known !== undefined) return known;
    const text = form.draw(most);
    drawn.set(form, text);
    return text;
  };
  const elsewhere = elsewhereText(setting, again);
  const stages = new Set(blocks.flatMap((forms) => forms.map(({ stage }) => stage)));
  for (const stage of [-1, ...[...stages].filter(Number.isFinite).toSorted((a, b) => a - b)]) {
    const text = joined(blocks.map((forms) => draw(formAt(forms, stage))));
    const whole = text === null || stage < 0 ? text : `${text}${elsewhere}`;
    if (whole !== null && whole.length <= most) return `${whole.trimEnd()}\n`;
  }
  // Nothing shorter is there: what stands first counts most.
  const least = blocks.map((forms) => draw(formAt(forms, Infinity)) ?? "");
  while (least.join("").length > most) least.pop();
  return `${least.join("").trimEnd()}\n`;
}

/** The form that a block still has when all up to this stage have given way. */
function formAt(forms: ReportBlock, stage: number): Form {
  return forms.find((form) => form.stage > stage) ?? forms.at(-1) ?? forms[0];
}

function joined(all: readonly (string | null)[]): string | null {
  return all.some((text) => text === null) ? null : all.join("");
}

/** More of an address or of a file's name has no room where room is short. */
const MOST_OF_A_NAME = 80;
const MOST_OF_AN_ADDRESS = 160;

/** These show all that there is. */
const COMPLETE: readonly string[] = ["html", "text", "json"];

/** A path of a CI runner's own disk is no place to look; by its name, the file is found among what the run has kept. */
function nameOf(file: string): string {
  return /^(?:[/\\]|[a-z]:)/i.test(file) ? (file.split(/[/\\]/).at(-1) ?? file) : file;
}

function elsewhereText({ run, besides }: Setting, again: string | null): string {
  const files = besides
    .filter(({ format }) => COMPLETE.includes(format))
    .toSorted((a, b) => COMPLETE.indexOf(a.format) - COMPLETE.indexOf(b.format))
    .slice(0, 2)
    .map(({ file }) => code(shorten(run === null ? file : nameOf(file), MOST_OF_A_NAME)));
  const page = run !== null && run.length <= MOST_OF_AN_ADDRESS ? link("the page of this run", run) : "";
  const places = [...files, page].filter((text) => text !== "" && text !== "the page of this run");
  const otherwise = again === null ? "the log of this run" : code(`linkform ${again}`);
  const where = places.length === 0 ? otherwise : places.join(", ");
  return `_Shortened to fit. All of it: ${where}._\n`;
}

/** More of a path than this makes no heading. */
const LONGEST = 80;

/** The marker and the heading, which names the project where there may be more than one. */
export function headBlock(command: string, { project }: Setting): ReportBlock {
  const name = project === "" || project === "linkform.yaml" ? "" : `: ${code(shorten(project, LONGEST))}`;
  return fixed(`${markerOf(command, project)}\n## linkform ${command}${name}\n\n`);
}

/** A box that is seen first: a line that stays, and more where there is room. */
export function alertBlock(line: string, more: readonly string[]): ReportBlock {
  const box = (lines: readonly string[]): string => `> [!CAUTION]\n${lines.map((one) => `> ${one}\n`).join(">\n")}\n`;
  const all = box([line, ...more]);
  const fits = (most: number): string | null => (all.length <= most ? all : null);
  return [{ draw: fits, stage: 134 }, ...fixed(box([line]))];
}
