// `linkform comment`: a report into the pull or merge request, or into one issue; the one of before is updated.

import { EXIT, UserError, type ExitCode } from "../errors.ts";
import { PathError, readFrom } from "../files/location.ts";
import { locateNamed } from "../files/named.ts";
import { quickAction } from "../forge/gitlab.ts";
import { firstLine, publish, type ForgeEntry, type Published } from "../forge/publish.ts";
import { visible } from "../domain/control-characters.ts";
import { openBoard, type CommentFlags } from "./comment-board.ts";
import type { World } from "../session/context.ts";
import { codeOf } from "../files/location.ts";

/** What the title of an issue may hold, on both. */
const LONGEST_TITLE = 255;

/** Puts the report of a file where its readers are; throws a user error where that can't be done. */
export async function comment(world: World, file: string, flags: CommentFlags): Promise<ExitCode> {
  const forge = checkFlags(flags);
  const { body, marker, title } = await readReport(world, file);
  const obeyed = forge === "gitlab" ? quickAction(body) : null;
  if (obeyed !== null)
    throw new UserError("quick-action", `GitLab would obey the line \`${visible(obeyed.slice(0, 60))}\` of ${file}.`, {
      hint: "linkform writes no such line: give it the file as `--format markdown=FILE` wrote it.",
    });
  const { board, close } = await openBoard(world, forge, flags);
  try {
    const isClosed = flags.close === true;
    const published = await publish(
      board,
      marker,
      { title, body, isClosed },
      {
        mayAdd: !isClosed,
        pause: async (ms) => world.clock.sleep(ms),
      },
    );
    world.line.print(`${saying(published, flags).join("\n")}\n`);
    return EXIT.done;
  } finally {
    await close();
  }
}

function checkFlags({ github, gitlab, pullRequest, issue, close }: CommentFlags): "github" | "gitlab" {
  const wrong = (code: string, message: string, hint: string): UserError =>
    new UserError(code, message, { hint, exit: EXIT.usage });
  if (github === gitlab)
    throw wrong("which-forge", "It must be said where the comment goes.", "Add one of --github and --gitlab.");
  if (issue === true && pullRequest !== undefined)
    throw wrong("issue-or-request", "`--issue` and `--pull-request` don't go together.", "Leave one of them out.");
  if (close === true && issue !== true)
    throw wrong("close-what", "`--close` closes an issue.", "Add --issue, or leave --close out.");
  return github === true ? "github" : "gitlab";
}

interface CommentReport {
  readonly body: string;
  readonly marker: string;
  /** `linkform drift: marketing/linkform.yaml`. */
  readonly title: string;
}

/** A report and the marker on its first line, by which its comment is found again. */
async function readReport({ cwd }: World, file: string): Promise<CommentReport> {
  const wrong = (code: string, message: string): UserError =>
    new UserError(code, message, {
      hint: "Name a file that `--format markdown=FILE` wrote.",
      exit: EXIT.usage,
    });
  const body = await readText(cwd, file).catch((cause: unknown) => {
    if (cause instanceof PathError) throw cause;
    throw wrong("report-unreadable", `The report ${visible(file)} can't be read (${codeOf(cause)}).`);
  });
  const marker = firstLine(body);
  const [, command, project] = /^<!-- linkform ([a-z]+) (\S+) -->$/.exec(marker) ?? [];
  if (command === undefined || project === undefined)
    throw wrong(
      "no-report",
      `${visible(file)} is no report in Markdown: its first line is not linkform's hidden marker.`,
    );
  const title = visible(`linkform ${command}: ${decoded(project)}`);
  return { body, marker, title: title.length > LONGEST_TITLE ? `${title.slice(0, LONGEST_TITLE - 1)}…` : title };
}

async function readText(cwd: string, file: string): Promise<string> {
  return (await readFrom(locateNamed(cwd, file))).toString("utf8");
}

/** The project of a marker as its path is written; of one that is not whole the signs as they stand. */
function decoded(project: string): string {
  try {
    return decodeURIComponent(project);
  } catch {
    return project;
  }
}

function saying(published: Published | null, { issue, close }: CommentFlags): string[] {
  const what = issue === true ? "issue" : "comment";
  if (published === null) return ["No issue is open: nothing to close."];
  const { how, entry, others } = published;
  const done = close === true ? "closed" : how === "changed" ? "updated" : issue === true ? "opened" : "written";
  if (others.length === 0) return [`The ${what} is ${done}: ${pages([entry])}`];
  const left =
    others.length === 1 ? "Another one with the same report is" : `${others.length} others with the same report are`;
  return [`The ${what} is ${done}: ${pages([entry])}`, `${left} left alone: ${pages(others)}`];
}

function pages(entries: readonly ForgeEntry[]): string {
  return entries.map(({ id, url }) => visible(url ?? `number ${id}`)).join(", ");
}
