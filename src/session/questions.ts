// Questions in a terminal. The library for them is loaded with the first question.

import { Readable, Writable } from "node:stream";
import { EXIT, UserError } from "../errors.ts";
import { visible } from "../domain/control-characters.ts";
import { wrap } from "../report/text/screen.ts";
import { allowManyListeners } from "./connect.ts";
import type { Console } from "./console.ts";
import type { World } from "./context.ts";

export interface QuestionOption<Value> {
  readonly value: Value;
  readonly label: string;
  /** Shown while the choice is active. */
  readonly hint?: string;
}

/** The width of questions: at most 80 columns, which are easy to read, also if the size of the terminal is unknown. */
const COLUMNS = 80;

/** The prefix of each line. */
const GUIDE = 3;

/** Whether stdin and stderr are a terminal, so that a person can answer. */
export function canAsk({ stdin, stderr, env }: World): boolean {
  return stdin.isTTY === true && stderr.isTTY === true && env["TERM"] !== "dumb";
}

type Clack = typeof import("@clack/prompts");

/** Asks questions. Each throws a user error with exit code 130 if it is canceled (Ctrl-C, Escape). */
export type Questions = ReturnType<typeof questionsOf>;

export async function openQuestions(out: Console, title: string): Promise<Questions> {
  return questionsOf(await import("@clack/prompts"), out, title);
}

function questionsOf(clack: Clack, { world, errScreen }: Console, title: string) {
  const { stdin, stderr: output, signal, secrets } = world;
  if (!(stdin instanceof Readable) || !(output instanceof Writable)) throw new Error("a terminal is no stream");
  // The end of the input, also by Ctrl-D, does not settle the library's promise.
  const ended = new AbortController();
  let open: object | null = null;
  stdin.once("end", () => ended.abort());
  stdin.on("pause", () => {
    const paused = open;
    setImmediate(() => paused !== null && paused === open && ended.abort());
  });
  const streams = { input: stdin, output, signal: allowManyListeners(AbortSignal.any([signal, ended.signal])) };
  const room = Math.min(errScreen.columns ?? COLUMNS, COLUMNS) - GUIDE;
  const fit = (line: string): string => {
    const indent = line.length - line.trimStart().length;
    return `${" ".repeat(indent)}${wrap(visible(secrets.hide(line.trimStart())), room, indent)}`;
  };
  const wrapped = (text: string): string => fit(text).split("\n").join("\n   ");
  const answered = async <Value extends string | number | boolean | string[]>(
    asked: Promise<Value | typeof clack.CANCEL_SYMBOL>,
  ): Promise<Value> => {
    open = asked;
    const answer = await asked;
    open = null;
    if (typeof answer !== "symbol") return answer;
    // A time limit or an interruption is the better reason.
    signal.throwIfAborted();
    throw new UserError("interrupted", "Not all questions were answered.", { exit: EXIT.interrupted });
  };
  const shown = <Value>(options: readonly QuestionOption<Value>[]): { value: Value; label: string; hint?: string }[] =>
    options.map(({ value, label, hint }) => ({
      value,
      label: visible(secrets.hide(label)),
      ...(hint !== undefined && { hint: visible(secrets.hide(hint)) }),
    }));
  clack.intro(visible(title), { output });
  return {
    say: (...lines: readonly string[]) => clack.log.message(lines.map(fit).join("\n"), { output }),
    warn: (message: string, hint: string | null) => {
      clack.log.error(fit(message), { output });
      if (hint !== null) clack.log.message(fit(hint), { output, spacing: 0 });
    },
    /** Asks for a line of text. `check` returns an error message or nothing. */
    text: async (
      question: string,
      { initial = "", example = "" }: { readonly initial?: string; readonly example?: string },
      check: (text: string) => string | null,
    ) => {
      const validate = (text = ""): string | undefined => {
        const problem = check(text.trim());
        return problem === null ? undefined : wrapped(problem);
      };
      const asked = { message: wrapped(question), initialValue: visible(initial), placeholder: example, validate };
      return (await answered(clack.text({ ...streams, ...asked }))).trim();
    },
    secret: async (question: string) => {
      // An empty text is undefined, contrary to its type.
      const asked: Promise<string | typeof clack.CANCEL_SYMBOL | undefined> = clack.password({
        ...streams,
        message: wrapped(question),
      });
      return (await answered(asked.then((answer) => answer ?? ""))).trim();
    },
    choose: async <Value extends string>(question: string, options: readonly QuestionOption<Value>[], first: Value) => {
      // The value is the index, because the library's types do not infer the options otherwise.
      const places = shown(options).map((option, at) => ({ ...option, value: at }));
      const initialValue = options.findIndex(({ value }) => value === first);
      const at = await answered(clack.select({ ...streams, message: fit(question), options: places, initialValue }));
      return options[at]?.value ?? first;
    },
    chooseSome: async (question: string, names: readonly QuestionOption<string>[], first: readonly string[]) => {
      const asked = { message: fit(question), options: shown(names), initialValues: [...first], required: false };
      return answered(clack.multiselect({ ...streams, ...asked }));
    },
    confirm: async (question: string) => answered(clack.confirm({ ...streams, message: fit(question) })),
    end: (text: string) => clack.outro(visible(text), { output }),
  };
}
