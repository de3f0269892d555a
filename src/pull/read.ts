// Opens the project for a pull, and reads the account: all of it, or only the records of named keys.

import { errorsIn } from "../domain/diagnostic.ts";
import { hasDate, type LiveRecord, type LiveState } from "../domain/live.ts";
import type { Project, Tombstone } from "../domain/project.ts";
import type { Secrets } from "../http/redact.ts";
import { narrowProject } from "./selection.ts";
import type { NamedKey } from "../domain/named-key.ts";
import type { Reader } from "../service/service.ts";
import { readAccount, withAccount } from "../session/read-account.ts";
import { openFolder } from "../config/checkout.ts";
import { overlayFiles } from "../config/file-source.ts";
import { loadFrom } from "../config/load.ts";
import { pathIn } from "./file-names.ts";
import type { World } from "../session/context.ts";
import type { OpenedProject } from "../session/project.ts";

/** Reads all, or these keys and what they need. A field that contains a secret is unreadable: a pull must not write it into a file. */
export async function readForPull(
  project: Project,
  keys: readonly NamedKey[],
  reader: Reader,
  secrets: Secrets,
): Promise<LiveState> {
  const state = await readRecords(project, keys, reader);
  const clean = (records: readonly LiveRecord[]): LiveRecord[] => records.map((one) => withoutSecret(one, secrets));
  return { ...state, links: clean(state.links), pixels: clean(state.pixels) };
}

function withoutSecret(record: LiveRecord, secrets: Secrets): LiveRecord {
  const isClean = ([, value]: readonly [string, unknown]): boolean => !secrets.has(value);
  const values = new Map([...record.values].filter(isClean));
  const references = new Map([...record.references].filter(isClean));
  const hidden = [...record.values.keys(), ...record.references.keys()].filter(
    (path) => !values.has(path) && !references.has(path),
  );
  if (hidden.length === 0) return record;
  const seen = "a text that contains the API key or a password";
  const unreadable = hidden.map((path) => ({ path, returned: path, seen }));
  return { ...record, values, references, unreadable: [...record.unreadable, ...unreadable] };
}

async function readRecords(project: Project, keys: readonly NamedKey[], reader: Reader): Promise<LiveState> {
  if (keys.length === 0) return readAccount({ project, base: null, wantsAll: true }, reader);
  const part = narrowProject(project, keys);
  const place = { file: project.file, line: 1, column: 1 };
  // Undeclared keys are looked up like those of tombstones.
  const links = keys.filter(({ kind }) => kind !== "pixel");
  const named = links.map(({ name }): Tombstone => ({ kind: "link", domain: null, name, place, id: null }));
  const withNamedLinks = { ...part, tombstones: [...part.tombstones, ...named] };
  const state = await readAccount({ project: withNamedLinks, base: null }, reader);
  const needsZone = part.accountZone === null && state.links.some(({ values }) => hasDate(values));
  return needsZone ? withAccount(state, reader) : state;
}

/** Loads the project again if its only errors are globs that match no file: a pull may create these files. */
export async function openedForPull(world: World, opened: OpenedProject): Promise<OpenedProject> {
  const errors = errorsIn(opened.diagnostics);
  if (opened.project !== null || errors.some(({ code }) => code !== "no-such-files")) return opened;
  const news = opened.globs.flatMap((glob) => pathIn(glob, "links") ?? []);
  const empty = new Map(news.flatMap((file) => (opened.files.includes(file) ? [] : [[file, ""]])));
  const source = overlayFiles(await openFolder(opened.folder, world), empty);
  const loaded = await loadFrom(source, opened.file, { now: world.now() });
  const files = loaded.files.filter((file) => !empty.has(file));
  const texts = new Map([...loaded.texts].filter(([file]) => !empty.has(file)));
  return { ...opened, ...loaded, files, texts };
}
