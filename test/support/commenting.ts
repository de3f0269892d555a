// `linkform comment` in a separate folder with a fake forge.

import { expect } from "vitest";
import { comment, type CommentFlags } from "../../src/cli/comment.ts";
import { exitOf, type World } from "../../src/session/context.ts";
import { diagnosticOf } from "../../src/config/located-error.ts";
import { TOKEN } from "./forge-state.ts";
import { runIn, temporaryFolder, writeFiles } from "./scenario.ts";

export const MARKER = "<!-- linkform plan marketing%2Flinkform.yaml -->";
export const DRIFT = "<!-- linkform drift marketing%2Flinkform.yaml -->";

/** A report in the Markdown format. */
export function report(says: string, marker: string = MARKER): string {
  return `${marker}\n## ${says}\n`;
}

interface Said {
  readonly exit: number;
  readonly err: string;
  /** The message of a failure, and its hint. */
  readonly problem: { readonly code: string; readonly message: string; readonly hint: string | null } | null;
}

/** Runs the command with this report. The token is never in its output. */
export async function say(
  body: string,
  env: Readonly<Record<string, string>>,
  flags: CommentFlags,
  given: Partial<Pick<World, "clock">> = {},
): Promise<Said> {
  const folder = await temporaryFolder();
  await writeFiles(folder, { "report.md": body });
  let problem: Said["problem"] = null;
  const run = async (world: World): Promise<number> => {
    try {
      return await comment(world, "report.md", flags);
    } catch (cause) {
      problem = diagnosticOf(cause);
      if (problem === null) throw cause;
      return exitOf(cause);
    }
  };
  const { exit, out, err } = await runIn(folder, env, run, given);
  expect(out).toBe("");
  expect(JSON.stringify([err, problem])).not.toContain(TOKEN);
  return { exit, err, problem };
}

/** An event file of GitHub's, by its path. */
export async function eventFile(event: unknown): Promise<string> {
  const folder = await temporaryFolder();
  await writeFiles(folder, { "event.json": JSON.stringify(event) });
  return `${folder}/event.json`;
}
