// One annotation as the workflow command that makes it. What is in it can't be a command of its own, nor another property.

import type { Place } from "../../domain/place.ts";
import type { Setting } from "../format.ts";
import { repositoryFile, repositoryPath } from "../repository-file.ts";
import { hasUnseen, visible } from "../../domain/control-characters.ts";

/** The most severe first. */
export const LEVELS = ["error", "warning", "notice"] as const;
export type Level = (typeof LEVELS)[number];

/** Texts are made visible already; `message` may have several lines. */
export interface Annotation {
  readonly level: Level;
  readonly title: string;
  readonly message: string;
  /** Null where it is about no line of the files. */
  readonly place: Place | null;
}

/** What a title holds in GitHub's API, and a message in its runner: what is longer is cut or lost there. */
const LONGEST_TITLE = 255;
const LONGEST_MESSAGE = 4096;

/** The command, one line of output. */
export function commandText({ level, title, message, place }: Annotation, setting: Pick<Setting, "project">): string {
  const at = placeProperties(place, setting);
  const properties = [...at, ["title", shortened(title.trim(), LONGEST_TITLE)] as const];
  const written = properties.map(([name, value]) => `${name}=${escapeProperty(value)}`).join(",");
  // Where no line can be marked, it is told.
  const whole = place === null || at.length > 0 ? message : `${message}\n${placeWords(place, setting)}`;
  return `::${level} ${written}::${escapeData(shortened(whole, LONGEST_MESSAGE))}\n`;
}

function placeProperties(place: Place | null, setting: Pick<Setting, "project">): (readonly [string, string])[] {
  const file = place === null ? null : annotatedFile(place, setting);
  if (place === null || file === null) return [];
  const { line, column, length = 1 } = place;
  const last = column + Math.max(length, 1) - 1;
  return [
    ["file", file],
    ["line", String(line)],
    ["col", String(column)],
    ["endColumn", String(last)],
  ];
}

/** Null where the runner could not be told of this file, or a terminal would obey its name. */
function annotatedFile(place: Place, setting: Pick<Setting, "project">): string | null {
  const file = repositoryFile(setting, place);
  // Of a value that begins with `=` the runner drops that sign.
  return file === null || hasUnseen(file) || file.startsWith("=") ? null : file;
}

/** Where a place is, in words. */
export function placeWords(place: Place, setting: Pick<Setting, "project">): string {
  const ref = place.source?.ref ?? null;
  return visible(`${repositoryPath(setting, place)}:${place.line}${ref === null ? "" : ` at ${ref}`}`);
}

/** As the runner takes it back (actions/runner, `ActionCommand.cs`). */
function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
