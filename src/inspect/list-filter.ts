// Resolves the flags of `linkform list`: labels, names and ids become ids.

import { Labels } from "../config/keys.ts";
import { warning, type Diagnostic } from "../domain/diagnostic.ts";
import { sameName, SEARCHED_FIELDS, type Filter, type ReferenceFilter } from "../domain/filter.ts";
import { fold } from "../domain/fold.ts";
import { didYouMean, nearestOrLonger } from "../domain/nearest.ts";
import type { Named } from "../domain/live.ts";
import { isReviewDue, type Label } from "../domain/project.ts";
import type { Status } from "../domain/status.ts";
import { KEY_FIELD, type ResourceKind } from "../domain/table.ts";
import { dateAt } from "../domain/zone.ts";
import { usageError, UserError } from "../errors.ts";
import { nameOf } from "../plan/names.ts";
import { capital } from "../report/counts.ts";
import type { Reader } from "../service/service.ts";
import type { RecordDocument } from "../report/json/inspect.ts";
import type { Access } from "../session/session.ts";

export interface FilterFlags {
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
}

const OF_LINKS = ["by", "status", "space", "domain", "pixel", "owner", "due"] as const;

export function checkFlags(kind: ResourceKind, flags: FilterFlags): void {
  const names = kind === "link" ? (["type"] as const) : OF_LINKS;
  const wrong = names.find((name) => flags[name] !== undefined);
  const hint =
    kind === "link"
      ? "To filter pixels by type, run `linkform list pixels --type TYPE`."
      : "Search pixels by name with `--search`, or filter them with `--type`.";
  if (wrong !== undefined) throw usageError("wrong-flag", `\`--${wrong}\` does not apply to ${kind}s.`, { hint });
}

export type DeclaredFilter = (record: Pick<RecordDocument, "owner" | "review_by">) => boolean;

/** Null without `--owner` and `--due`. Throws a user error without a project, and for an owner that the files do not name. */
export function declaredFilter(
  { owner, due }: FilterFlags,
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
export async function resolveFilter(
  kind: ResourceKind,
  flags: FilterFlags,
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

/** By label, name or id (`12` or `#12`). The files must not give another name to its id. */
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
  const pixels = what === "pixel" ? (await reader.list("pixel")).records : [];
  const listed: readonly Named[] | null =
    what === "pixel" ? pixels.map((one) => ({ id: one.id, name: nameOf(one) })) : await reader.names(`${what}s`);
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
