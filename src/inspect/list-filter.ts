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
  /** Labels, names or ids; `none` for a space: without one. */
  readonly space?: string;
  readonly domain?: string;
  readonly pixel?: string;
  readonly type?: string;
  /** A person or team that the files name as `owner`. */
  readonly owner?: string;
  /** Links whose `review_by` is today or in the past. */
  readonly due?: boolean;
}

const WRONG_FLAGS = {
  link: { flags: ["type"], hint: "To filter pixels by type, run `linkform list pixels --type TYPE`." },
  pixel: {
    flags: ["by", "status", "space", "domain", "pixel", "owner", "due"],
    hint: "Search pixels by name with `--search`, or filter them with `--type`.",
  },
} as const satisfies Record<ResourceKind, { readonly flags: readonly (keyof FilterFlags)[]; readonly hint: string }>;

export function checkFlags(kind: ResourceKind, flags: FilterFlags): void {
  const { flags: names, hint } = WRONG_FLAGS[kind];
  const wrong = names.find((name) => flags[name] !== undefined);
  if (wrong === undefined) return;
  throw usageError("wrong-flag", `\`--${wrong}\` does not apply to ${kind}s.`, { hint });
}

export type DeclaredFilter = (record: Pick<RecordDocument, "owner" | "review_by">) => boolean;

/** The filter of `--owner` and `--due`; null without. Throws a user error without a project, and for an owner that the files do not name. */
export function declaredFilter(
  { owner, due }: FilterFlags,
  { project, hasProject, diagnostics }: Access,
  now: string,
): DeclaredFilter | null {
  if (owner === undefined && due !== true) return null;
  const flag = owner === undefined ? "--due" : "--owner";
  if (!hasProject)
    throw diagnostics.length > 0
      ? new UserError("files-broken", `\`${flag}\` cannot be used, because the files have errors.`, {
          hint: "Run `linkform validate` to see the errors.",
        })
      : new UserError("no-project", `\`${flag}\` needs a project: owners and review dates are in its files.`, {
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
 * Resolves the flags. Throws a user error for a space or pixel that does not exist. Adds a warning to `unlisted` for a domain that is not in
 * the list, which lacks those that all accounts share (docs/service.md, "Endpoints"), and for a space of a service without a list.
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
  return {
    search: flags.search === undefined || flags.search === "" ? null : { text: flags.search, in: field },
    status: flags.status === undefined || flags.status === "all" ? null : flags.status,
    domain: await resolved("domain", project.domains),
    space: isNoSpace ? "none" : await resolved("space", project.spaces),
    pixel: await resolved("pixel", []),
    type: flags.type ?? null,
  };
}

/** What a flag names by label, name or id (`12` or `#12`); null without the flag. The files must not give another name to its id. */
async function resolveReference(
  what: "domain" | "space" | "pixel",
  text: string | undefined,
  labels: readonly Label[],
  reader: Reader,
  unlisted: Diagnostic[],
): Promise<ReferenceFilter | null> {
  if (text === undefined) return null;
  const label = text.startsWith("#") ? undefined : new Labels(labels).find(text);
  const [, number] = /^#?(\d+)$/.exec(text) ?? [];
  const id = label === undefined ? (number === undefined ? null : Number(number)) : label.id;
  const declaredName = label && (label.name ?? (label.label === String(label.id) ? undefined : label.label));
  const listed = await (what === "pixel" ? pixelNames(reader) : reader.names(`${what}s`));
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
  if (other !== undefined)
    throw new UserError(
      `ambiguous-${what}`,
      `\`${wanted}\` is the name or id of several ${what}s: ids ${record.id} and ${other.id}.`,
      { hint: `Use an id: --${what} '#${record.id}' or --${what} '#${other.id}'.` },
    );
  if (declaredName !== undefined && !sameName(record.name, declaredName))
    throw new UserError(
      `wrong-${what}`,
      `The files call ${what} ${record.id} \`${declaredName}\`, but the service calls it \`${record.name}\`.`,
      { hint: `Correct the id in \`${what}s\`, or use the id or name that the service has.` },
    );
  return { id: record.id };
}

async function pixelNames(reader: Reader): Promise<readonly Named[]> {
  const { records } = await reader.list("pixel");
  return records.map((record) => ({ id: record.id, name: nameOf(record) }));
}
