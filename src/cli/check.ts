// `linkform check`: asks the destinations of declared links whether they are alive. It never connects to the service.

import { setFlagsFromString } from "node:v8";
import { askAll, type Answer, type AskOptions } from "../check/ask.ts";
import { cachedAnswer, keepAnswer, moveOf, readCache, writeCache } from "../check/cache.ts";
import { destinationOf, destinationsIn, type Use } from "../check/destinations.ts";
import { findingsAbout } from "../check/findings.ts";
import { openBase } from "../config/base.ts";
import { append, groupBy } from "../domain/collections.ts";
import { errorsIn, type Diagnostic } from "../domain/diagnostic.ts";
import type { ExitCode } from "../errors.ts";
import { osCode } from "../files/location.ts";
import { Console } from "../session/console.ts";
import type { CommonFlags, World } from "../session/context.ts";
import { openProject } from "../session/project.ts";
import type { ProjectsFlags } from "./projects-run.ts";
import { declaredNamed } from "./rm-declared.ts";
import { reportFindings } from "./validate.ts";

export type CheckFlags = CommonFlags & Pick<ProjectsFlags, "base" | "maxWait">;

/** Reports dead and moved destinations, of all links or those that `words` name. `--base` limits them to new ones. `extra` is for tests. */
export function check(
  world: World,
  flags: CheckFlags,
  words: readonly string[] = [],
  extra: Pick<AskOptions, "allowed" | "lookup"> = {},
  out: Console = new Console(world, flags, "check"),
): Promise<ExitCode> {
  return reportFindings(out, "check", async (report) => {
    await world.turn?.afterEarlier();
    // Requests leave much garbage. By default, V8 lets the heap grow to four times what is in use before it collects old garbage.
    setFlagsFromString("--heap-growing-percent=50");
    const asked = await chooseDestinations(world, flags, words, report);
    if (asked === null) return;
    const { uses, folder, rules, never } = asked;
    const now = world.now();
    const cache = await readCache(folder, world.env);
    const answers = new Map<string, Answer>();
    const answerOf = ({ url, known }: Use): Answer | null => known ?? answers.get(url) ?? cachedAnswer(cache, url, now);
    const urls = [...new Set(uses.flatMap((use) => (answerOf(use) === null ? use.url : [])))];
    const { env, version, clock, signal } = world;
    const deadline = flags.maxWait === undefined ? null : clock.now() + flags.maxWait * 1000;
    out.progress.start();
    const steps = out.progress.count("check", urls.length);
    const onAnswer = (url: string, answer: Answer): void => {
      answers.set(url, answer);
      keepAnswer(cache, url, answer, now);
      steps.add(url);
    };
    try {
      await askAll(urls, { ...extra, env, version, clock, signal, deadline, never, onAnswer });
    } finally {
      // An interrupted run reports what has answered, and keeps it.
      out.progress.stop();
      report.destinations = [];
      for (const all of groupBy(uses, destinationOf).values()) {
        const [use] = all;
        const answer = use === undefined ? null : answerOf(use);
        if (use === undefined || answer === null) continue;
        append(report.found, findingsAbout(all, answer, moveOf(cache, use.url, now), rules));
        const { verdict, reason, redirects } = answer;
        const keys = new Set(all.map(({ key }) => key));
        report.destinations.push({ url: use.url, verdict, reason, redirects: [...redirects], links: [...keys] });
      }
      // Without a cache, the next run asks more. That is no reason to fail.
      await writeCache(cache, folder, asked.declared).catch((cause: unknown) =>
        out.remark(`The answers cannot be kept in .linkform/check.json (${osCode(cause)}).`),
      );
    }
  });
}

/** Null if the files have errors. The result does not hold the project, whose memory is free while destinations are asked. */
async function chooseDestinations(
  world: World,
  flags: CheckFlags,
  words: readonly string[],
  report: { files: number; found: Diagnostic[] },
) {
  const opened = await openProject(world, flags);
  const { project, folder } = opened;
  report.files = opened.files.length;
  if (project === null) {
    report.found = errorsIn(opened.diagnostics);
    return null;
  }
  const declarations = project.declarations.filter(({ kind }) => kind === "link");
  const named = declaredNamed({ ...project, declarations }, words);
  append(report.found, named.problems);
  const chosen = new Set(words.length === 0 ? declarations : named.declarations);
  const base = flags.base === undefined ? null : await openBase(opened, flags.base, world.env, world.now());
  const before = base?.project ?? null;
  const known = new Set(before === null ? [] : destinationsIn(before).found.map(({ identity }) => identity));
  const { found, never } = destinationsIn(project);
  const wanted = found.filter(({ link, identity }) => chosen.has(link) && !known.has(identity));
  /** The answers of these are kept. */
  const declared = new Set(found.map(({ use }) => use.url));
  return { uses: wanted.map(({ use }) => use), declared, never, rules: project.policy.rules, folder };
}
