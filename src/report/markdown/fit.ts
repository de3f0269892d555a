// Fits a report into a maximum length: each block has forms from long to short, and the least important shrink first.

import { completeReports, fnv1a, isAbsolute, type RenderContext } from "../format.ts";
import { code, link } from "./inline.ts";
import { shorten } from "../spans.ts";

/** One form of a block. */
export interface BlockForm {
  /** Draws it; null if it is longer than `max` characters, so that drawing can stop early. */
  readonly draw: (max: number) => string | null;
  /** When the next form replaces it: lowest first. The last form of a block stays. */
  readonly dropOrder: number;
}

/** Part of a report, longest form first; the last form must be short. */
export type ReportBlock = readonly [BlockForm, ...BlockForm[]];

/** A block that never shrinks. */
export function fixed(text: string): ReportBlock {
  return [{ draw: () => text, dropOrder: Infinity }];
}

/** A block that shrinks through these forms, in their drop order, to nothing. Forms are drawn on demand. */
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
 * The longest report that fits. A shortened one ends with where to find the rest. `again`: the command that prints all
 * of it; null for an apply, which cannot be repeated.
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
  // Even the shortest forms are too long: keep the first blocks.
  const shortest = blocks.map((forms) => draw(formAt(forms, Infinity)) ?? "");
  while (shortest.join("").length > max) shortest.pop();
  return `${shortest.join("").trimEnd()}\n`;
}

/** The form of a block after everything up to this drop order is replaced. */
function formAt(forms: ReportBlock, dropOrder: number): BlockForm {
  return forms.find((form) => form.dropOrder > dropOrder) ?? forms.at(-1) ?? forms[0];
}

function joined(all: readonly (string | null)[]): string | null {
  return all.some((text) => text === null) ? null : all.join("");
}

/** Limits for file names and URLs in the note about shortening. */
const MAX_FILE_LENGTH = 80;
const MAX_URL_LENGTH = 160;

/** The file name identifies an artifact of a CI run. */
function fileNameOf(file: string): string {
  return isAbsolute(file) ? (file.split(/[/\\]/).at(-1) ?? file) : file;
}

function elsewhereText(context: RenderContext, again: string | null): string {
  const { runUrl } = context;
  const files = completeReports(context)
    .slice(0, 2)
    .map((file) => code(shorten(runUrl === null ? file : fileNameOf(file), MAX_FILE_LENGTH)));
  const page = runUrl !== null && runUrl.length <= MAX_URL_LENGTH ? link("the page of this run", runUrl) : "";
  const places = [...files, page].filter((text) => text !== "" && text !== "the page of this run");
  const otherwise = again === null ? "the log of this run" : code(`linkform ${again}`);
  const where = places.length === 0 ? otherwise : places.join(", ");
  return `_This report is shortened. Full report: ${where}._\n`;
}

const MAX_HEADING_PATH = 80;

/** The marker and the heading, with the project file if it is not the default one. */
export function headBlock(command: string, { project }: Pick<RenderContext, "project">): ReportBlock {
  const name = project === "" || project === "linkform.yaml" ? "" : `: ${code(shorten(project, MAX_HEADING_PATH))}`;
  return fixed(`${markerOf(command, project)}\n## linkform ${command}${name}\n\n`);
}

/** An alert box: one line, and more lines if there is room. */
export function alertBlock(line: string, more: readonly string[]): ReportBlock {
  const box = (lines: readonly string[]): string => `> [!CAUTION]\n${lines.map((one) => `> ${one}\n`).join(">\n")}\n`;
  const all = box([line, ...more]);
  const fits = (max: number): string | null => (all.length <= max ? all : null);
  return [{ draw: fits, dropOrder: 134 }, ...fixed(box([line]))];
}

/** A longer path is cut and completed by its hash. */
const MAX_PROJECT_LENGTH = 160;

/** The HTML comment by which a report is found again; `project` is the project file from the root of its repository. */
export function markerOf(command: string, project: string): string {
  return `<!-- linkform ${command} ${encodeProject(project)} -->`;
}

/** Encodes a path so that it cannot end an HTML comment. */
function encodeProject(project: string): string {
  // A path can contain an unpaired surrogate.
  const name = encodeURIComponent(project.replaceAll(/\p{Cs}/gu, "\ufffd")).replaceAll("-", "%2D");
  return name.length <= MAX_PROJECT_LENGTH ? name : `${name.slice(0, MAX_PROJECT_LENGTH - 20)}~${fnv1a(project)}`;
}
