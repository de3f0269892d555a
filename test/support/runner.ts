// How GitHub's runner reads a job's output (actions/runner, `ActionCommand.cs` and `ActionCommandManager.cs`): each line is a command in
// the second form, else in the first, else text.

export interface RunnerCommand {
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly data: string;
}

/** The commands of the runner, without the word that ends `stop-commands`. */
const COMMANDS = new Set(
  "error warning notice debug group endgroup echo add-mask add-matcher remove-matcher add-path set-env set-output save-state stop-commands".split(
    " ",
  ),
);

/** The commands by line; null for lines of text. */
export function obeyed(output: string): (RunnerCommand | null)[] {
  const lines = output.split(/\r\n|\n|\r/);
  if (lines.at(-1) === "") lines.pop();
  return lines.map((line) => secondForm(line) ?? firstForm(line));
}

/** The word that would be the name of a command in this line, known or not; null if there is none. */
export function nameIn(line: string): string | null {
  return (secondHead(line) ?? firstHead(line))?.[0].split(" ")[0] ?? null;
}

/** `::name property=value,property=value::data`, after white space: the part before the data, and the data. */
function secondHead(line: string): readonly [head: string, data: string] | null {
  const text = line.trimStart();
  const end = text.startsWith("::") ? text.indexOf("::", 2) : -1;
  return end < 0 ? null : [text.slice(2, end), text.slice(end + 2)];
}

/** `##[name property=value;property=value]data`, anywhere in a line. */
function firstHead(line: string): readonly [head: string, data: string] | null {
  const start = line.indexOf("##[");
  const end = start < 0 ? -1 : line.indexOf("]", start);
  return end < 0 ? null : [line.slice(start + 3, end), line.slice(end + 1)];
}

function secondForm(line: string): RunnerCommand | null {
  const parts = secondHead(line);
  return parts && command(parts[0], ",", parts[1], { data: DATA, property: PROPERTY });
}

function firstForm(line: string): RunnerCommand | null {
  const parts = firstHead(line);
  return parts && command(parts[0], ";", parts[1], { data: FIRST, property: FIRST });
}

type Escapes = readonly (readonly [written: string, meant: string])[];
const DATA: Escapes = [
  ["%0D", "\r"],
  ["%0A", "\n"],
  ["%25", "%"],
];

const PROPERTY: Escapes = [
  ["%0D", "\r"],
  ["%0A", "\n"],
  ["%3A", ":"],
  ["%2C", ","],
  ["%25", "%"],
];

const FIRST: Escapes = [
  ["%3B", ";"],
  ["%0D", "\r"],
  ["%0A", "\n"],
  ["%5D", "]"],
  ["%25", "%"],
];

function command(
  head: string,
  separator: string,
  data: string,
  escapes: { readonly data: Escapes; readonly property: Escapes },
): RunnerCommand | null {
  const space = head.indexOf(" ");
  const name = space < 0 ? head : head.slice(0, space);
  if (!COMMANDS.has(name.toLowerCase())) return null;
  const written =
    space < 0
      ? []
      : head
          .slice(space + 1)
          .trim()
          .split(separator);
  const properties = written.flatMap((pair): [string, string][] => {
    const [, key, value] = /^=*([^=]+)=+([^]*)$/.exec(pair) ?? [];
    return key === undefined || value === undefined || value === "" ? [] : [[key, meant(value, escapes.property)]];
  });
  return { name, properties: Object.fromEntries(properties), data: meant(data, escapes.data) };
}

function meant(text: string, escapes: Escapes): string {
  return escapes.reduce((left, [written, sign]) => left.replaceAll(written, sign), text);
}
