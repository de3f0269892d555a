// The wizard of `linkform init` on a terminal, and a simulated user.

import { expect } from "vitest";
import type { SeedState } from "../../src/sandbox/index.ts";
import type { InitProject } from "../support/init-project.ts";
import { openSession, type Session } from "../support/terminal.ts";

export const ENTER = "\r";
export const DOWN = "\u001b[B";
export const SPACE = " ";
export const CTRL_C = "\u0003";
export const CTRL_D = "\u0004";

const PATIENCE = 20_000;

type SeedLink = NonNullable<SeedState["links"]>[number];

/** The wizard with a user who types. */
export class Wizard {
  readonly #session: Session;
  readonly ended: Promise<number>;

  constructor(session: Session) {
    this.#session = session;
    this.ended = session.ended;
  }

  async screen(): Promise<string> {
    return (await this.#session.emulator.lines()).join("\n");
  }

  /** Waits until a question is the last one on the screen, and answers it. */
  async answer(question: RegExp, keys: string): Promise<void> {
    await this.sees(new RegExp(`[◆▲] {2}${question.source}(?![^]*\\n[◆▲◇■])`));
    this.#session.type(keys);
  }

  async sees(text: RegExp): Promise<void> {
    await expect.poll(() => this.screen(), { timeout: PATIENCE }).toMatch(text);
  }
}

export async function open(
  start: InitProject,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
  columns = 80,
): Promise<Wizard> {
  return new Wizard(await openSession(start.folder, ["init", ...args], { ...env, NO_COLOR: "1" }, columns));
}

export const LINKS: readonly SeedLink[] = [
  { url: "https://example.com/", domain: 2, alias: "there" },
  { url: "https://example.com/", domain: 1, alias: "shared" },
];
