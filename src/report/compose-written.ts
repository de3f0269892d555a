// The result of a command that writes files: the patches of a dry run or the written files, and the next steps.

import { visible } from "../domain/control-characters.ts";
import { sentences, toned, twoColumns, code, line, prose, shorten, strong } from "./blocks.ts";
import type { Line, LogBlock } from "./blocks.ts";
import { countEach } from "./counts.ts";
import { plural, showCount } from "../domain/words.ts";
import type { WrittenDocument } from "./json/written.ts";
import { soundsSecret } from "./redaction.ts";

const SYMBOLS = { create: "+", update: "~" };

export function writtenLog(document: WrittenDocument): LogBlock[] {
  const { command, written, files, items, variables, next } = document;
  const patches = files.map(({ patch }) => patch ?? "").join("");
  const noted = items.filter(({ what, note }) => note !== null || what === "removed" || what === "tombstoned");
  const why = command === "import" ? "Passwords are not written to files." : "The service does not return passwords.";
  const set = `${why} Set ${plural(variables.length, "environment variable")} before you apply:`;
  const named = variables.map((name) => line`    ${code(name)}`);
  return [
    ...(patches === "" ? [] : [{ is: "code" as const, text: patches, language: "diff" as const }]),
    ...sentences("calm", noted.map(itemLine)),
    twoColumns(
      toned(line`${filesText(document)}`, written && files.length > 0 ? "good" : "calm"),
      4,
      files.map(({ action, file }) => [toned(line`${SYMBOLS[action]} ${code(file)}`)]),
    ),
    ...sentences("calm", named.length === 0 ? [] : [line`${set}`, ...named]),
    ...sentences("calm", next.map(prose)),
  ];
}

function itemLine({ what, kind, key, note }: WrittenDocument["items"][number]): Line {
  const done = what === "tombstoned" ? "tombstone for" : what;
  return prose(`${done} ${kind}${key === null ? "" : ` ${key}`}${note === null ? "" : `: ${note}`}`);
}

function filesText({ command, files, written, items }: WrittenDocument): string {
  if (files.length === 0) return "The files need no changes.";
  const order = ["added", "changed", "removed", "tombstoned", "skipped"] as const;
  const done = items.map(({ what }) => what);
  const counts = [...countEach(done, order)].map(([what, count]) =>
    what === "tombstoned" ? plural(count, "tombstone") : `${showCount(count)} ${what}`,
  );
  const verb = written ? "Written" : command === "fmt" ? "Not formatted" : "Dry run, nothing was written";
  return `${verb}: ${[plural(files.length, "file"), ...counts].join(", ")}.`;
}

/** A long name must not push the other columns off the screen. */
const MAX_NAME_LENGTH = 28;
const MAX_EXAMPLE_LENGTH = 100;

export interface SheetColumns {
  readonly file: string;
  readonly rows: number;
  /** The name of the character between cells. */
  readonly delimiter: string;
  readonly columns: NonNullable<WrittenDocument["columns"]>;
}

export function columnsLog({ file, rows, delimiter, columns }: SheetColumns): LogBlock[] {
  const about = columns.map(({ column, field, because, example, secret }) => {
    const ignored = `(${because === "flag" ? "by a flag" : "unknown name"})`;
    const shown = example === null ? "(empty)" : visible(shorten(example, MAX_EXAMPLE_LENGTH));
    const value = secret ? "(hidden: passwords are not written to files)" : field === null ? ignored : shown;
    const target = field === null ? toned(line`ignored`, "muted") : toned(line`${field}`, "good");
    return [toned([code(shorten(column, MAX_NAME_LENGTH))]), target, toned(line`${value}`)];
  });
  const unknown = columns.find(({ column, because }) => because === "unknown" && !soundsSecret(column));
  const head = `${file}: ${plural(rows, "row")}, separated by \`${delimiter}\``;
  return [
    {
      is: "table",
      indent: 2,
      lead: toned([strong(visible(head))]),
      columns: [10, MAX_NAME_LENGTH, 10].map((min) => ({ fit: "cut", min, isKept: true })),
      rows: about,
    },
    ...(unknown === undefined
      ? []
      : sentences("calm", [prose(`To keep a column, map it to a field: --map "${unknown.column}=note"`)])),
  ];
}
