// `linkform show`: single live objects, and how the files declare them. It cannot write.

import { didYouMean } from "../domain/nearest.ts";
import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { fold } from "../domain/fold.ts";
import type { LiveRecord } from "../domain/live.ts";
import { readNamedKey } from "../domain/named-key.ts";
import type { Project } from "../domain/project.ts";
import type { ResourceKind } from "../domain/table.ts";
import { EXIT, type ExitCode } from "../errors.ts";
import { capital } from "../report/counts.ts";
import { diagnosticDocuments } from "../report/finding-document.ts";
import type { ShowDocument } from "../report/json/inspect.ts";
import { openAccess } from "../session/session.ts";
import type { ServiceFlags } from "../session/connect.ts";
import { Console } from "../session/console.ts";
import type { CommonFlags, World } from "../session/context.ts";
import { compareRecord } from "./show-compare.ts";
import { ambiguousKey, Finder, isNamed, keyOfRecord } from "../session/find.ts";

export type ShowFlags = CommonFlags & ServiceFlags;

/** Prints the objects that these words name. Exits with 1 if a word names no object, or several. */
export async function show(world: World, words: readonly string[], flags: ShowFlags): Promise<ExitCode> {
  const out = new Console(world, flags, "show");
  return out.run(async () => {
    const { baseUrl, reader, project, hasProject, diagnostics } = await openAccess(out);
    const now = world.now();
    const finder = new Finder(reader, project);
    const problems: Diagnostic[] = [];
    const records = new Map<string, LiveRecord>();
    for (const word of new Set(words)) {
      const id = idIn(word);
      const found = id === null ? await finder.find(readNamedKey(word)) : ((await reader.show(id.kind, id.id)) ?? []);
      const [record, ...others] = [found].flat();
      if (record === undefined) problems.push(await missing(word, finder, project));
      else if (others.length > 0) problems.push(ambiguous(word, [record, ...others]));
      else records.set(`${record.kind} ${record.id}`, record);
    }
    const comparing = { reader, finder, project, hasProject, now, secrets: world.secrets };
    const shown = [];
    for (const record of records.values()) shown.push(...(await compareRecord(record, comparing)));
    const findings = [...diagnostics, ...shown.flatMap((one) => one.remarks), ...problems];
    out.findings(findings);
    const plan = shown[0]?.plan;
    const document: ShowDocument = {
      format_version: "1.0",
      complete: true,
      service: { base_url: baseUrl, software: plan?.software ?? null },
      has_files: hasProject,
      timezone: plan?.zones.files ?? project.zone ?? "UTC",
      objects: shown.map((one) => one.document),
      diagnostics: diagnosticDocuments(world.secrets.hideIn(findings)),
      requests: { read: reader.requests },
    };
    return out.report({ of: "show", document }, problems.length === 0 ? EXIT.done : EXIT.error);
  });
}

/** `#12` is the id of a link, `pixel:#12` that of a pixel. */
function idIn(word: string): { readonly kind: ResourceKind; readonly id: number } | null {
  const [, kind, id] = /^(?:(link|pixel):)?#(\d+)$/.exec(word) ?? [];
  return id === undefined ? null : { kind: kind === "pixel" ? "pixel" : "link", id: Number(id) };
}

async function missing(word: string, finder: Finder, { declarations, domains }: Project): Promise<Diagnostic> {
  const key = readNamedKey(word);
  const [kind, id] = [idIn(word)?.kind ?? key.kind, idIn(word)?.id];
  const listing = `Run \`linkform list${kind === "pixel" ? " pixels" : ""}\` to see all ${kind ?? "link"}s.`;
  if (id !== undefined) return error("not-found", `No ${kind ?? "link"} has the id ${id}.`, null, listing);
  const declared = declarations.find((one) => isNamed(key, one, domains));
  if (declared !== undefined) {
    const hint = "Run `linkform plan` to see what would be created, and `linkform apply` to create it.";
    return error("not-live", `\`${word}\` is declared but not live.`, declared.place, hint);
  }
  const what = kind ?? (key.domain === null ? "link or pixel" : "link");
  const message = `${capital(what)} \`${word.replace(/^(?:link|pixel):(?=.)/, "")}\` does not exist.`;
  return error("not-found", message, null, didYouMean(await finder.nearest(key), listing));
}

function ambiguous(word: string, records: readonly LiveRecord[]): Diagnostic {
  const folded = records.map((record) => fold(`${record.kind}:${keyOfRecord(record)}`));
  // Records whose keys fold to the same text differ only in their ids.
  const isTwin = (key: string): boolean => folded.indexOf(key) !== folded.lastIndexOf(key);
  const keys = records.map(
    (record, at) => `\`${record.kind}:${isTwin(folded[at] ?? "") ? `#${record.id}` : keyOfRecord(record)}\``,
  );
  return ambiguousKey(word, keys);
}
