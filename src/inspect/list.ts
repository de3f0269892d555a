// `linkform list`: live links or pixels, filtered and sorted. It cannot write.

import { NO_FILTER, sortRecords, type Sort } from "../domain/filter.ts";
import type { Diagnostic } from "../domain/diagnostic.ts";
import { hasDate, type Account, type LiveRecord } from "../domain/live.ts";
import type { ResourceKind } from "../domain/table.ts";
import { usageError, type ExitCode } from "../errors.ts";
import { resolve } from "../plan/resolve.ts";
import { unreadableWarning } from "../plan/unreadable.ts";
import { diagnosticDocuments } from "../report/finding-document.ts";
import type { ListDocument } from "../report/json/inspect.ts";
import type { Reader } from "../service/service.ts";
import { openAccess } from "../session/session.ts";
import type { ServiceFlags } from "../session/connect.ts";
import { Console } from "../session/console.ts";
import type { CommonFlags, World } from "../session/context.ts";
import { checkFlags, declaredFilter, resolveFilter, type FilterFlags } from "./list-filter.ts";
import { readMatching } from "../session/read-matching.ts";
import { labelWarnings, inspectRecords } from "./records.ts";
import { partialState } from "../session/read-account.ts";

export interface ListFlags extends CommonFlags, ServiceFlags, FilterFlags {
  readonly sort?: Sort;
  readonly limit?: number;
}

export async function list(world: World, what: "links" | "pixels", flags: ListFlags): Promise<ExitCode> {
  const out = new Console(world, flags, "list");
  const kind: ResourceKind = what === "links" ? "link" : "pixel";
  const { sort = "desc", limit } = flags;
  checkFlags(kind, flags);
  if (kind === "pixel" && (sort === "max" || sort === "min"))
    throw usageError("wrong-flag", "Pixels have no clicks, so they cannot be sorted by clicks.", {
      hint: "Use `--sort asc` or `--sort desc`.",
    });
  return out.run(async () => {
    const access = await openAccess(out);
    const { baseUrl, reader, project, hasProject, diagnostics } = access;
    const now = world.now();
    const isWanted = declaredFilter(flags, access, now);
    const unlisted: Diagnostic[] = [];
    const filter = await resolveFilter(kind, flags, access, unlisted);
    // The service has no fixed order for links with the same number of clicks (docs/service.md, "Lists"), and does not know owners. So
    // these need all records.
    const isPlain = sort === "asc" || sort === "desc";
    const enough = isPlain && isWanted === null ? (limit ?? null) : null;
    const found = await readMatching(reader, { kind, filter, now, order: isPlain ? sort : "asc", enough });
    const sorted = sortRecords(found.records, sort);
    const records = isWanted === null ? sorted.slice(0, limit) : sorted;
    const account = await accountFor(records, flags, project.accountZone ?? project.zone, reader);
    const read = kind === "link" ? { links: records } : { pixels: records };
    const resolved = resolve(project, partialState({ ...read, account }, reader.requests));
    const doubts = found.records.length > 0 ? [] : unlisted;
    const findings = [...diagnostics, ...doubts, ...labelWarnings(resolved), ...unreadableWarning(resolved.unreadable)];
    out.findings(findings);
    const all = inspectRecords(records, resolved, now).map(({ document }) => document);
    const rows = isWanted === null ? all : all.filter(isWanted);
    const document: ListDocument = {
      format_version: "1.0",
      complete: true,
      service: { base_url: baseUrl },
      has_files: hasProject,
      kind,
      sort,
      filtered: isWanted !== null || JSON.stringify(filter) !== JSON.stringify(NO_FILTER),
      search: filter.search,
      timezone: resolved.zones.files,
      rows: rows.slice(0, limit),
      total: isWanted === null ? found.total : rows.length,
      diagnostics: diagnosticDocuments(world.secrets.hideIn(findings)),
      requests: { read: reader.requests },
    };
    return out.report({ of: "list", document });
  });
}

/** Read if dates are shown and the files name no time zone. */
async function accountFor(
  records: readonly LiveRecord[],
  { format = ["text"] }: ListFlags,
  known: string | null,
  reader: Reader,
): Promise<Account | null> {
  const showsDates = format.some((one) => !/^text(=|$)/.test(one));
  if (known !== null || !showsDates || !records.some(({ values }) => hasDate(values))) return null;
  return reader.account();
}
