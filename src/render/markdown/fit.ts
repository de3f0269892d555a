// A report made to fit: of its blocks, each has forms from the richest to the poorest, and what matters least gives way first.

import { fnv1a, type RenderContext } from "../format.ts";
import { code, link } from "./inline.ts";
import { shortened } from "../../view/spans.ts";

/** One way to tell a block. */
export interface BlockForm {
  /** Draws it; null where it is longer than `most` characters, so that nothing is drawn for nothing. */
  readonly draw: (max: number) => string | null;
  /** When it gives way to the next form: lower ones go first. The last form of a block stays. */
  readonly dropOrder: number;
}

/** Part of a report; the last of its forms must be short. */
export type ReportBlock = readonly [BlockForm, ...BlockForm[]];

/** A block that always stays as it is. */
export function fixed(text: string): ReportBlock {
  return [{ draw: () => text, dropOrder: Infinity }];
}

/** Forms, each with the stage at which it gives way; then nothing. They are drawn when they are needed. */
export function shrinking(...forms: readonly (readonly [dropOrder: number, draw: () => string])[]): ReportBlock {
  const [first, ...rest] = forms.map(([dropOrder, draw]): BlockForm => ({
    draw: (max) => {
      const text = draw();
      return text.length <= max ? text : null;
    },
    dropOrder,
  }));
  const nothing: BlockForm = { draw: () => "", dropOrder: Infinity };
  return first === undefined ? [nothing] : [first, ...rest, nothing];
}

/**
 * The richest report that fits: where something had to give way, it ends with where the rest is. `again`: the command that
 * would say it all once more; null of an apply, which nothing repeats.
 */
export function fit(blocks: readonly ReportBlock[], context: RenderContext, again: string | null): string {
  const max = context.maxLength;
  const drawn = new Map<BlockForm, string | null>();
  const draw = (form: BlockForm): string | null => {
    const known = drawn.get(form);
    if (known !== undefined) return known;
    const text = form.draw(max);
    drawn.set(form, text);
    return text;
  };
  const elsewhere = elsewhereText(context, again);
  const dropOrders = new Set(blocks.flatMap((forms) => forms.map(({ dropOrder }) => dropOrder)));
  for (const dropOrder of [-1, ...[...dropOrders].filter(Number.isFinite).toSorted((a, b) => a - b)]) {
    const text = joined(blocks.map((forms) => draw(formAt(forms, dropOrder))));
    const whole = text === null || dropOrder < 0 ? text : `${text}${elsewhere}`;
    if (whole !== null && whole.length <= max) return `${whole.trimEnd()}\n`;
  }
  // Nothing shorter is there: what stands first counts most.
  const shortest = blocks.map((forms) => draw(formAt(forms, Infinity)) ?? "");
  while (shortest.join("").length > max) shortest.pop();
  return `${shortest.join("").trimEnd()}\n`;
}

/** The form that a block still has when all up to this stage have given way. */
function formAt(forms: ReportBlock, dropOrder: number): BlockForm {
  return forms.find((form) => form.dropOrder > dropOrder) ?? forms.at(-1) ?? forms[0];
}

function joined(all: readonly (string | null)[]): string | null {
  return all.some((text) => text === null) ? null : all.join("");
}

/** More of an address or of a file's name has no room where room is short. */
const MAX_FILE_LENGTH = 80;
const MAX_URL_LENGTH = 160;

/** These show all that there is. */
const COMPLETE_FORMATS: readonly string[] = ["html", "text", "json"];

/** A path of a CI runner's own disk is no place to look; by its name, the file is found among what the run has kept. */
function fileNameOf(file: string): string {
  return /^(?:[/\\]|[a-z]:)/i.test(file) ? (file.split(/[/\\]/).at(-1) ?? file) : file;
}

function elsewhereText({ runUrl, otherReports }: RenderContext, again: string | null): string {
  const files = otherReports
    .filter(({ format }) => COMPLETE_FORMATS.includes(format))
    .toSorted((a, b) => COMPLETE_FORMATS.indexOf(a.format) - COMPLETE_FORMATS.indexOf(b.format))
    .slice(0, 2)
    .map(({ file }) => code(shortened(runUrl === null ? file : fileNameOf(file), MAX_FILE_LENGTH)));
  const page = runUrl !== null && runUrl.length <= MAX_URL_LENGTH ? link("the page of this run", runUrl) : "";
  const places = [...files, page].filter((text) => text !== "" && text !== "the page of this run");
  const otherwise = again === null ? "the log of this run" : code(`linkform ${again}`);
  const where = places.length === 0 ? otherwise : places.join(", ");
  return `_Shortened to fit. All of it: ${where}._\n`;
}

/** More of a path than this makes no heading. */
const MAX_HEADING_PATH = 80;

/** The marker and the heading, which names the project where there may be more than one. */
export function headBlock(command: string, { project }: RenderContext): ReportBlock {
  const name = project === "" || project === "linkform.yaml" ? "" : `: ${code(shortened(project, MAX_HEADING_PATH))}`;
  return fixed(`${markerOf(command, project)}\n## linkform ${command}${name}\n\n`);
}

/** A box that is seen first: a line that stays, and more where there is room. */
export function alertBlock(line: string, more: readonly string[]): ReportBlock {
  const box = (lines: readonly string[]): string => `> [!CAUTION]\n${lines.map((one) => `> ${one}\n`).join(">\n")}\n`;
  const all = box([line, ...more]);
  const fits = (max: number): string | null => (all.length <= max ? all : null);
  return [{ draw: fits, dropOrder: 134 }, ...fixed(box([line]))];
}

/** More characters of a path than this are told by their beginning and a number made of all of them. */
const MAX_PROJECT_LENGTH = 160;

/** The comment of HTML that marks a report; `project` is the project file from the root of its repository. */
export function markerOf(command: string, project: string): string {
  return `<!-- linkform ${command} ${encodeProject(project)} -->`;
}

/** A project file in signs that end no comment of HTML, the same every time. */
function encodeProject(project: string): string {
  // Of a character there may be half in a path.
  const name = encodeURIComponent(project.replaceAll(/\p{Cs}/gu, "\ufffd")).replaceAll("-", "%2D");
  return name.length <= MAX_PROJECT_LENGTH ? name : `${name.slice(0, MAX_PROJECT_LENGTH - 20)}~${fnv1a(project)}`;
}
