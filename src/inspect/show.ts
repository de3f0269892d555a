// `linkform show`: single live objects, and how the files declare them. It cannot write.

import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { fold } from "../domain/fold.ts";
import type { LiveRecord } from "../domain/live.ts";
import { EXIT, type ExitCode } from "../errors.ts";
import { listText } from "../report/counts.ts";
import type { ShownRecord } from "../report/inspect.ts";
import { connectReader } from "../service/service.ts";
import { withAccess } from "../session/session.ts";
import type { ServiceFlags } from "../session/connect.ts";
import { Console } from "../session/console.ts";
import type { CommonFlags, World } from "../session/context.ts";
import { projectContextOf } from "./records.ts";
import { AccountLists, compareRecord } from "./show-compare.ts";
import { Finder, keyOf, parseNamedObject } from "./show-find.ts";

export type ShowFlags = CommonFlags & ServiceFlags;

/** Prints the objects that these words name. Exits with 1 if a word names no object, or several. */
export async function show(world: World, words: readonly string[], flags: ShowFlags): Promise<ExitCode> {
  const out = new Console(world, flags, "show");
  return withAccess(world, flags, out, "show", async (access) => {
    const { baseUrl, transport } = access;
    const reader = connectReader(transport);
    const { project, hasProject, diagnostics } = projectContextOf(access);
    const [now, detail] = [world.now(), (text: string): void => out.detail(text)];
    const finder = new Finder(reader, project, now, detail);
    const problems: Diagnostic[] = [];
    const records = new Map<string, LiveRecord>();
    for (const word of new Set(words)) {
      const parsed = parseNamedObject(word);
      const [record, ...others] = await finder.find(parsed);
      if (record === undefined) problems.push(await finder.missing(parsed));
      else if (others.length > 0) problems.push(ambiguous(word, [record, ...others]));
      else records.set(`${record.kind} ${record.id}`, record);
    }
    const comparing = { reader, finder, project, hasProject, now, detail, lists: new AccountLists(reader) };
    const shown: ShownRecord[] = [];
    for (const record of records.values()) {
      const one = await compareRecord(record, comparing);
      if (one !== null) shown.push(one);
    }
    const findings = [...diagnostics, ...shown.flatMap((one) => one.remarks), ...problems];
    out.findings(findings);
    const isWritten = await out.result({
      of: "show",
      shown,
      baseUrl,
      hasProject,
      zones: shown[0]?.plan.zones ?? { files: project.zone ?? "UTC", account: null },
      requests: transport.requests,
      diagnostics: findings,
    });
    return isWritten && problems.length === 0 ? EXIT.done : EXIT.error;
  });
}

function ambiguous(word: string, records: readonly LiveRecord[]): Diagnostic {
  const folded = records.map((record) => fold(`${record.kind}:${keyOf(record)}`));
  // Records whose keys fold to the same text differ only in their ids.
  const isTwin = (key: string): boolean => folded.indexOf(key) !== folded.lastIndexOf(key);
  const keys = records.map(
    (record, at) => `\`${record.kind}:${isTwin(folded[at] ?? "") ? `#${record.id}` : keyOf(record)}\``,
  );
  const message = `\`${word}\` matches ${listText(keys, "and")}.`;
  return error("ambiguous-key", message, null, "Use one of these names.");
}
