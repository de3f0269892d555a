// Questions on a terminal, one after the other. What asks them is loaded when the first one is asked.

import { Readable, Writable } from "node:stream";
import { EXIT, UserError } from "../errors.ts";
import { visible } from "../domain/control-characters.ts";
import { wrap } from "../render/text/width.ts";
import { allowManyListeners } from "./connect.ts";
import type { Console } from "./console.ts";
import type { World } from "./context.ts";

/** One thing to choose. */
export interface QuestionOption<Value> {
  readonly value: Value;
  readonly label: string;
  /** Shown beside it while it is the one to be chosen. */
  readonly hint?: string;
}

/** Asks a person. Each question throws a user error with the exit code 130 where it is given up (Ctrl-C, Escape). */
export interface Questions {
  /** Says something between two questions. */
  say(...lines: readonly string[]): void;
  /** Says that something was wrong, and what to do. */
  warn(message: string, hint: string | null): void;
  /** A line of text; `check` returns what is wrong with it. */
  text(
    question: string,
    given: { readonly initial?: string; readonly example?: string },
    check: (text: string) => string | null,
  ): Promise<string>;
  /** A text that nobody sees. */
  secret(question: string): Promise<string>;
  choose<Value extends string>(
    question: string,
    options: readonly QuestionOption<Value>[],
    first: Value,
  ): Promise<Value>;
  chooseSome(question: string, names: readonly QuestionOption<string>[], first: readonly string[]): Promise<string[]>;
  confirm(question: string): Promise<boolean>;
  /** Ends the questions. */
  end(text: string): void;
}

/** Columns that a question has where the terminal does not know its size, and the most that are good to read. */
const COLUMNS = 80;

/** What stands before a line. */
const GUIDE = 3;

/** Whether there is a person at a terminal to ask. */
export function canAsk({ stdin, stderr, env }: World): boolean {
  return stdin.isTTY === true && stderr.isTTY === true && env["TERM"] !== "dumb";
}

/** Loads what asks, and begins with a title. */
export async function openQuestions(world: World, out: Console, title: string): Promise<Questions> {
  const clack = await import("@clack/prompts");
  const { stdin, stderr, signal } = world;
  if (!(stdin instanceof Readable) || !(stderr instanceof Writable)) throw new Error("a terminal is no stream");
  const output = uncoloured(stderr, world, out.errScreen.paint.isColorSupported);
  // An input that ends answers nothing; nor does one that Ctrl-D ends, of which the question itself is not told.
  const ended = new AbortController();
  let open: object | null = null;
  stdin.once("end", () => ended.abort());
  stdin.on("pause", () => {
    const paused = open;
    setImmediate(() => paused !== null && paused === open && ended.abort());
  });
  const streams = { input: stdin, output, signal: allowManyListeners(AbortSignal.any([signal, ended.signal])) };
  const room = Math.min(out.errScreen.columns ?? COLUMNS, COLUMNS) - GUIDE;
  const fit = (line: string): string => {
    const indent = line.length - line.trimStart().length;
    return `${" ".repeat(indent)}${wrap(visible(line.trimStart()), room, indent)}`;
  };
  const said = (text: string): string => fit(text).split("\n").join("\n   ");
  const answered = async <Value extends string | number | boolean | string[]>(
    asked: Promise<Value | typeof clack.CANCEL_SYMBOL>,
  ): Promise<Value> => {
    open = asked;
    const answer = await asked;
    open = null;
    if (typeof answer !== "symbol") return answer;
    // Told to end by a signal: then that is why.
    signal.throwIfAborted();
    throw new UserError("interrupted", "The questions were not all answered.", { exit: EXIT.interrupted });
  };
  const shown = <Value>(options: readonly QuestionOption<Value>[]): { value: Value; label: string; hint?: string }[] =>
    options.map(({ value, label, hint }) => ({
      value,
      label: visible(label),
      ...(hint !== undefined && { hint: visible(hint) }),
    }));
  clack.intro(visible(title), { output });
  return {
    say: (...lines) => clack.log.message(lines.map(fit).join("\n"), { output }),
    warn: (message, hint) => {
      clack.log.error(fit(message), { output });
      if (hint !== null) clack.log.message(fit(hint), { output, spacing: 0 });
    },
    text: async (question, { initial = "", example = "" }, check) => {
      const validate = (text = ""): string | undefined => {
        const problem = check(text.trim());
        return problem === null ? undefined : said(problem);
      };
      const asked = { message: said(question), initialValue: visible(initial), placeholder: example, validate };
      return (await answered(clack.text({ ...streams, ...asked }))).trim();
    },
    secret: async (question) => {
      // Empty it is undefined, whatever its type says.
      const asked: Promise<string | typeof clack.CANCEL_SYMBOL | undefined> = clack.password({
        ...streams,
        message: said(question),
      });
      return (await answered(asked.then((answer) => answer ?? ""))).trim();
    },
    choose: async <Value extends string>(question: string, options: readonly QuestionOption<Value>[], first: Value) => {
      // By its place: the type of the options would not be known otherwise.
      const places = options.map(({ label, hint }, at) => ({ value: at, label, ...(hint !== undefined && { hint }) }));
      const initialValue = options.findIndex(({ value }) => value === first);
      const at = await answered(
        clack.select({ ...streams, message: fit(question), options: shown(places), initialValue }),
      );
      return options[at]?.value ?? first;
    },
    chooseSome: async (question, names, first) =>
      answered(
        clack.multiselect({
          ...streams,
          message: fit(question),
          options: shown(names),
          initialValues: [...first],
          required: false,
        }),
      ),
    confirm: async (question) => answered(clack.confirm({ ...streams, message: fit(question) })),
    end: (text) => clack.outro(visible(text), { output }),
  };
}

// oxlint-disable-next-line no-control-regex -- they are what is taken out
const COLOURS = /\u001b\[(?:3[0-79]|4[0-79]|9[0-7]|10[0-7])m/g;

/** The stream itself, or one that takes colours out; what is bright, dim or inverse stays, and shows where the choice is. */
function uncoloured(stream: Writable, { stderr }: World, isColoured: boolean): Writable {
  if (isColoured) return stream;
  const plain = new Writable({
    write: (chunk, _encoding, done) => {
      stream.write(String(chunk).replaceAll(COLOURS, ""), () => done());
    },
  });
  return Object.defineProperties(plain, {
    isTTY: { value: true },
    columns: { get: () => stderr.columns },
    rows: { get: () => ("rows" in stderr ? stderr.rows : undefined) },
  });
}
