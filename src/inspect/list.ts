// `linkform list`: live links or pixels, filtered and sorted. It cannot write.

import { NO_FILTER, sameName, SEARCHED_FIELDS, sortRecords } from "../domain/filter.ts";
import type { Filter, ReferenceFilter, Sort } from "../domain/filter.ts";
import { warning, type Diagnostic } from "../domain/diagnostic.ts";
import { hasDate, type Account, type LiveRecord, type Named } from "../domain/live.ts";
import { KEY_FIELD, type ResourceKind } from "../domain/table.ts";
import { usageError, UserError, type ExitCode } from "../errors.ts";
import { resolve } from "../plan/resolve.ts";
import { unreadableWarning } from "../plan/unreadable.ts";
import { diagnosticDocuments } from "../report/finding-document.ts";
import type { ListDocument, RecordDocument } from "../report/json/inspect.ts";
import type { Reader } from "../service/service.ts";
import { openAccess, type Access } from "../session/session.ts";
import type { ServiceFlags } from "../session/connect.ts";
import { Console } from "../session/console.ts";
import type { CommonFlags, World } from "../session/context.ts";
import { readMatching } from "../session/read-matching.ts";
import { inspectRecords, labelWarnings } from "./records.ts";
import { partialState } from "../session/read-account.ts";
import { Labels } from "../config/keys.ts";
import { fold } from "../domain/fold.ts";
import { didYouMean, nearestOrLonger } from "../domain/nearest.ts";
import { isReviewDue, type Label } from "../domain/project.ts";
import type { Status } from "../domain/status.ts";
import { dateAt } from "../domain/zone.ts";
import { nameOf } from "../plan/names.ts";
import { capital } from "../report/counts.ts";

export interface ListFlags extends CommonFlags, ServiceFlags {
  readonly search?: string;
  readonly by?: string;
  readonly status?: Status | "all";
  /** Like `domain` and `pixel`, a label, name or id; or `none`. */
  readonly space?: string;
  readonly domain?: string;
  readonly pixel?: string;
  readonly type?: string;
  readonly owner?: string;
  /** Links whose `review_by` is today or in the past. */
  readonly due?: boolean;
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

const OF_LINKS = ["by", "status", "space", "domain", "pixel", "owner", "due"] as const;

function checkFlags(kind: ResourceKind, flags: ListFlags): void {
  const names = kind === "link" ? (["type"] as const) : OF_LINKS;
  const wrong = names.find((name) => flags[name] !== undefined);
  const hint =
    kind === "link"
      ? "To filter pixels by type, run `linkform list pixels --type TYPE`."
      : "Search pixels by name with `--search`, or filter them with `--type`.";
  if (wrong !== undefined) throw usageError("wrong-flag", `\`--${wrong}\` does not apply to ${kind}s.`, { hint });
}

type DeclaredFilter = (record: Pick<RecordDocument, "owner" | "review_by">) => boolean;

/** Null without `--owner` and `--due`. Throws a user error without a project, and for an owner that the files do not name. */
function declaredFilter(
  { owner, due }: ListFlags,
  { project, hasProject, diagnostics }: Access,
  now: string,
): DeclaredFilter | null {
  if (owner === undefined && due !== true) return null;
  const flag = owner === undefined ? "--due" : "--owner";
  if (diagnostics.length > 0)
    throw new UserError("files-broken", `\`${flag}\` cannot be used, because the files have errors.`, {
      hint: "Run `linkform validate` to see the errors.",
    });
  if (!hasProject)
    throw new UserError("no-project", `\`${flag}\` needs a project: owners and review dates are in its files.`, {
      hint: "Run the command in the folder of the project, or name the project file with --config.",
    });
  const wanted = owner === undefined ? null : fold(owner.trim());
  const known = [...new Set(project.declarations.flatMap(({ owners }) => owners))];
  if (owner !== undefined && !known.some((one) => fold(one) === wanted)) {
    const named = known.length === 0 ? "The files name no owner." : `The files name: ${known.slice(0, 10).join(", ")}.`;
    const hint = didYouMean(nearestOrLonger(owner, known), named);
    throw new UserError("no-such-owner", `No link in the files has the owner \`${owner}\`.`, { hint });
  }
  const today = dateAt(now, project.zone ?? project.accountZone);
  return ({ owner: owners, review_by: reviewBy }) =>
    (wanted === null || owners.some((one) => fold(one) === wanted)) && (due !== true || isReviewDue(reviewBy, today));
}

/**
 * Throws a user error for a space or pixel that does not exist. Adds a warning to `unlisted` for a domain that is not in the list, which
 * lacks those that all accounts share (docs/service.md, "Endpoints"), and for a space of a service without a list.
 */
async function resolveFilter(
  kind: ResourceKind,
  flags: ListFlags,
  { project, reader }: Pick<Access, "project" | "reader">,
  unlisted: Diagnostic[],
): Promise<Filter> {
  const isNoSpace = flags.space === "none" && !project.spaces.some(({ label }) => label === "none");
  const resolved = (what: "domain" | "space" | "pixel", labels: readonly Label[]): Promise<ReferenceFilter | null> =>
    resolveReference(what, flags[what], labels, reader, unlisted);
  const field = kind === "link" ? (flags.by ?? SEARCHED_FIELDS[0] ?? "") : KEY_FIELD.pixel;
  const { search = "", status = "all" } = flags;
  return {
    search: search === "" ? null : { text: search, in: field },
    status: status === "all" ? null : status,
    domain: await resolved("domain", project.domains),
    space: isNoSpace ? "none" : await resolved("space", project.spaces),
    pixel: await resolved("pixel", []),
    type: flags.type ?? null,
  };
}

/** Resolves a label, name or id (`12` or `#12`). The files must not give its id another name. */
async function resolveReference(
  what: "domain" | "space" | "pixel",
  text: string | undefined,
  labels: readonly Label[],
  reader: Reader,
  unlisted: Diagnostic[],
): Promise<ReferenceFilter | null> {
  if (text === undefined) return null;
  const label = text.startsWith("#") ? undefined : new Labels(labels).find(text);
  const id = label === undefined ? (/^#?\d+$/.test(text) ? Number(text.replace("#", "")) : null) : label.id;
  const declaredName = label && (label.name ?? (label.label === String(label.id) ? undefined : label.label));
  const listed =
    what === "pixel"
      ? (await reader.list("pixel")).records.map((one): Named => ({ id: one.id, name: nameOf(one) }))
      : await reader.names(`${what}s`);
  const wanted = declaredName ?? text;
  const isMeant = ({ id: one, name }: Named): boolean =>
    one === id || ((label === undefined || label.id === null) && sameName(name, wanted));
  const [record, other] = listed?.filter(isMeant) ?? [];
  if (record === undefined) {
    const look = what === "pixel" ? "Run `linkform list pixels` to see all pixels." : "Correct the name or id.";
    const hint = didYouMean(nearestOrLonger(text, listed?.map(({ name }) => name) ?? []), look);
    if (what !== "domain" && listed !== null)
      throw new UserError(`no-such-${what}`, `${capital(what)} \`${text}\` does not exist.`, { hint });
    const message = `linkform found no ${what} \`${text}\` in this account.`;
    unlisted.push(warning(`unconfirmed-${what}`, message, null, hint));
    return id === null ? { name: wanted } : { id };
  }
  if (other !== undefined) {
    const message = `\`${wanted}\` is the name or id of several ${what}s: ids ${record.id} and ${other.id}.`;
    const hint = `Use an id: --${what} '#${record.id}' or --${what} '#${other.id}'.`;
    throw new UserError(`ambiguous-${what}`, message, { hint });
  }
  if (declaredName !== undefined && !sameName(record.name, declaredName)) {
    const message = `The files call ${what} ${record.id} \`${declaredName}\`, but the service calls it \`${record.name}\`.`;
    const hint = `Correct the id in \`${what}s\`, or use the id or name that the service has.`;
    throw new UserError(`wrong-${what}`, message, { hint });
  }
  return { id: record.id };
}
