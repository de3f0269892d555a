// `linkform comment`: writes a report as a comment of the pull or merge request, or as an issue, or updates it there.

import { EXIT, usageError, UserError, type ExitCode } from "../errors.ts";
import { readNamed } from "../files/named.ts";
import { quickAction } from "../forge/gitlab.ts";
import { firstLine, publish, type Published } from "../forge/publish.ts";
import { decodePercent } from "../domain/named-key.ts";
import { visible } from "../domain/control-characters.ts";
import type { World } from "../session/context.ts";
import { withBoards, type BoardFlags } from "../session/forge.ts";

export interface CommentFlags extends BoardFlags {
  readonly github?: boolean;
  readonly gitlab?: boolean;
  readonly close?: boolean;
}

/** Publishes the report in a file. Throws a user error if flags, the file or a variable of the CI is wrong. */
export async function comment(world: World, file: string, flags: CommentFlags): Promise<ExitCode> {
  if (flags.github === flags.gitlab)
    throw usageError("which-forge", "Choose where to post the comment.", { hint: "Add either --github or --gitlab." });
  const forge = flags.github === true ? "github" : "gitlab";
  const report = await readReport(world, file);
  const { marker } = report;
  // The comment of the plan that an apply carried out becomes the comment of the apply.
  const ofPlan = marker.replace(/^<!-- linkform apply /, "<!-- linkform plan ");
  const { body, title } = typeof flags.pullRequest === "string" && flags.close !== true ? asRequest(report) : report;
  const command = forge === "gitlab" ? quickAction(body) : null;
  if (command !== null)
    throw new UserError(
      "quick-action",
      `${file} contains the line \`${visible(command.slice(0, 60))}\`, which GitLab would run as a quick action.`,
      { hint: "linkform never writes such a line. Use the file exactly as `--format markdown=FILE` wrote it." },
    );
  await withBoards(world, forge, flags, async (boards) => {
    if (boards.length === 0) world.line.print("No pull request with this commit was merged, so there is no comment.\n");
    for (const board of boards) {
      const isClosed = flags.close === true;
      const published = await publish(
        board,
        (line) => line === marker || (flags.merged !== undefined && line === ofPlan),
        { title, body, isClosed },
        { mayAdd: !isClosed, pause: async (ms) => world.clock.sleep(ms) },
      );
      world.line.print(`${resultText(published, flags)}\n`);
    }
  });
  return EXIT.done;
}

interface CommentReport {
  readonly body: string;
  /** On the first line, to find the comment in later runs. */
  readonly marker: string;
  /** `linkform drift: marketing/linkform.yaml`. */
  readonly title: string;
}

/** As a pull request, which people can read without linkform's documentation. */
function asRequest(report: CommentReport): CommentReport {
  const note =
    "Merge this to keep the manual changes. To restore the state in the files, start a deploy instead. The request closes when there is no drift.";
  // The longest description on GitHub.
  const body = `${report.body.trimEnd()}\n\n${note}\n`;
  return { ...report, title: "Keep manual changes of links", body: body.length > 65_536 ? report.body : body };
}

async function readReport({ cwd }: World, file: string): Promise<CommentReport> {
  const hint = "Use a file that `--format markdown=FILE` wrote.";
  const problem = { code: "report-unreadable", hint, exit: EXIT.usage };
  const body = await readNamed(cwd, file, `The report ${visible(file)}`, problem);
  const marker = firstLine(body);
  const [, command, project] = /^<!-- linkform ([a-z]+) (\S+) -->$/.exec(marker) ?? [];
  if (command === undefined || project === undefined) {
    const message = `${visible(file)} is not a Markdown report of linkform. Its first line is not linkform's hidden marker.`;
    throw usageError("no-report", message, { hint });
  }
  // All projects of the repository, if a glob names them.
  const name = decodePercent(project);
  return { body, marker, title: visible(/[*?{]/.test(name) ? `linkform ${command}` : `linkform ${command}: ${name}`) };
}

function resultText(published: Published | null, { issue, close, pullRequest }: CommentFlags): string {
  const what = issue === true ? "issue" : typeof pullRequest === "string" ? "pull request" : "comment";
  const isComment = what === "comment";
  if (published === null) return isComment ? "No comment to update." : `No open ${what} to close.`;
  const { how, entry } = published;
  const isClosed = close === true && !isComment;
  const done = how === "added" ? (isComment ? "written" : "opened") : isClosed ? "closed" : "updated";
  return `The ${what} is ${done}: ${visible(entry.url ?? `number ${entry.id}`)}`;
}
