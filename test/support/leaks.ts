// Texts that must never be shown to users, and the messages of an output.

/** By kind. Frames contain text that users have written. */
const LEAKS: Readonly<Record<string, RegExp>> = {
  "a stack trace": /^\s*at .*[:/]\d+:\d+\)?$|\bat (async )?file:|node:internal|node_modules/m,
  "a value that is not there": /\bundefined\b|\bNaN\b|\[object \w+\]|\bfunction\s*\(/,
  "zod's words":
    /Invalid (input|option|key|string|enum)|expected \w+, received|Unrecognized key|Too (small|big):|invalid_\w+|\bZodError\b/,
  "a placeholder": /\$\{[a-z]|\{\{\s*\w|%[sdo]\b|\bTODO\b|\bXXX\b/,
  "nothing at all": /``|^(error|warning|note)\[[^\]]*\]\s*$/m,
};

const HEAD = /^(error|warning|note)\[([^\]]*)\] ?(.*)$/;

/** A diagnostic as it was printed. */
interface Message {
  readonly severity: string;
  readonly code: string;
  readonly text: string;
  readonly hasPlace: boolean;
  readonly hasHint: boolean;
}

/** The diagnostics in a text, in full form. */
export function messagesIn(printed: string): Message[] {
  return printed.split(/^(?=(?:error|warning|note)\[)/m).flatMap((block) => {
    const [, severity = "", code = "", text = ""] = HEAD.exec(block.split("\n")[0] ?? "") ?? [];
    if (severity === "") return [];
    return [{ severity, code, text, hasPlace: /^ +--> \S/m.test(block), hasHint: /^ +=( \S)/m.test(block) }];
  });
}

/** The problems of an output, as sentences. */
export function faultsOf(printed: string): string[] {
  const said = printed.replaceAll(/^(?: *\d* \||\.\.\.).*\n/gm, "");
  const leaks = Object.entries(LEAKS).flatMap(([what, pattern]) => {
    const [found] = pattern.exec(said) ?? [];
    return found === undefined ? [] : [`It shows ${what}: ${found.trim()}`];
  });
  const messages = messagesIn(printed).flatMap(({ severity, code, text, hasPlace, hasHint }) => {
    const what = `${severity}[${code}] ${text}`;
    return [
      ...(/^([a-z0-9]+(-[a-z0-9]+)*|policy\/[A-Za-z0-9][\w-]*)$/.test(code) ? [] : [`This is no code: ${what}`]),
      ...(severity !== "error" || hasPlace || hasHint ? [] : [`This says neither where nor what to do: ${what}`]),
    ];
  });
  return [...leaks, ...messages];
}
