// `drift --shard`: reads one part of the links.

import { fold, unmistakablePart } from "../domain/fold.ts";
import type { LiveRecord } from "../domain/live.ts";
import type { Project } from "../domain/project.ts";
import type { ShardNumber } from "../domain/shard.ts";
import { UserError } from "../errors.ts";
import { nameOf } from "../plan/names.ts";
import { isUnconfirmed, pixelsThatMayGo } from "../plan/reading.ts";
import { projectOfShard, tiedNames, type ShardReading } from "../plan/shard.ts";
import { separateUnreadable } from "../plan/unreadable.ts";
import type { Reader } from "../service/service.ts";
import { readNames } from "./read-account.ts";
import { mergeRecords, searchesAliases, type LogDetail } from "./read-links.ts";

const INSTEAD = "Run `linkform drift` without `--shard`.";

/**
 * Reads a part. `responsible` is the project with the links that the part is responsible for. `open` then adds those with the folded
 * aliases that were read. Throws a user error if the account cannot be read in parts.
 */
export async function readShard(
  responsible: Project,
  open: (aliases: ReadonlySet<string>) => Promise<Project>,
  reader: Reader,
  shard: ShardNumber,
  detail: LogDetail,
): Promise<ShardReading> {
  const { policy } = responsible;
  if (policy.prune.mode === "scope")
    throw new UserError("shard-prune", "`--shard` cannot be used with `prune: scope`.", { hint: INSTEAD });
  const { allow } = policy;
  if (allow !== null && !allow.actions.includes("create"))
    throw new UserError("shard-allow", "`--shard` cannot be used if `allow` does not contain `create`.", {
      hint: INSTEAD,
    });
  const opened = await reader.open("link");
  const [read, pixels] = await Promise.all([opened.part(shard), reader.list("pixel")]);
  if (read === null)
    throw new UserError("shard-pages", "The service does not say how many pages of links there are.", {
      hint: INSTEAD,
    });
  const tied = tiedNames(responsible);
  const own = read.records.filter((record) => !tied.has(fold(nameOf(record))));
  const isFirst = shard.index === 1;
  const found = isFirst ? mergeRecords(own, await lookUp(tied, opened.records, reader)) : own;
  const aliases = new Set([...tied, ...found.map((record) => fold(nameOf(record)))]);
  const project = await open(aliases);
  const sortedPixels = separateUnreadable(pixels.records);
  if (isFirst) await refuseUsedPixels(project, sortedPixels.readable, reader);
  const sorted = separateUnreadable(found);
  const part = projectOfShard(project, found, shard);
  // A link that no part has is created in one that may have no other link on its domain.
  const files = { project, base: null };
  const live = { links: sorted.readable, unreadable: sorted.unreadable };
  const { account, ...lists } = await readNames(files, live, false, reader, detail);
  const names = { ...live, ...lists };
  if (isUnconfirmed(project, names))
    throw new UserError("shard-names", "This part of the account does not show all domains and spaces in the files.", {
      hint: INSTEAD,
    });
  const software = await reader.software();
  return {
    project,
    part,
    borders: { beginsAfter: read.beginsAfter, endsWith: read.endsWith, isEnd: read.isEnd },
    state: {
      software,
      isWhole: true,
      domain: null,
      ...names,
      unreadable: [...sorted.unreadable, ...sortedPixels.unreadable],
      pixels: sortedPixels.readable,
      account,
      requests: reader.requests,
      sizes: {
        link: { records: found.length, perPage: read.perPage },
        pixel: { records: pixels.records.length, perPage: pixels.perPage },
      },
    },
  };
}

/** The links with these names, which may be in any part. */
async function lookUp(
  tied: ReadonlySet<string>,
  first: readonly LiveRecord[],
  reader: Reader,
): Promise<readonly LiveRecord[]> {
  const parts = [...tied].map((name) => {
    const part = unmistakablePart(name);
    if (part !== null) return part;
    throw new UserError("shard-rename", `linkform cannot search for \`${name}\`, which must be looked up.`, {
      hint: INSTEAD,
    });
  });
  const lists = await Promise.all(parts.map((containing) => reader.list("link", { containing })));
  const found = lists.flatMap(({ records }) => records).filter((record) => tied.has(fold(nameOf(record))));
  if (await searchesAliases(parts, found, { records: first }, reader)) return found;
  throw new UserError("shard-rename", "The service does not search aliases, and some links must be looked up.", {
    hint: INSTEAD,
  });
}

/** A pixel to be deleted may have users in any part. */
async function refuseUsedPixels(project: Project, pixels: readonly LiveRecord[], reader: Reader): Promise<void> {
  for (const pixel of pixelsThatMayGo({ project, base: null }, pixels)) {
    const { records } = await reader.open("link", { pixel: pixel.id });
    if (records.length === 0) continue;
    throw new UserError(
      "shard-pixel",
      `The pixel \`${nameOf(pixel)}\` is to be deleted, and links of any part may use it.`,
      { hint: INSTEAD },
    );
  }
}
