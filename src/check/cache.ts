// What destinations answered before, in `.linkform/check.json` of the project. Without the file, everything is asked.

import path from "node:path";
import * as z from "zod";
import { trackedAt, type GitEnvironment } from "../config/git.ts";
import { hostOf } from "../domain/hosts.ts";
import { ProjectFolder } from "../files/folder.ts";
import { OWNER_ONLY, modeAt, replaceAt } from "../files/location.ts";
import { typeAt } from "../files/named.ts";
import type { Answer } from "./ask.ts";

const FILE = ".linkform/check.json";
const IGNORED =
  "# Written by linkform. These files are only for this machine.\n/.gitignore\n/check.json\n/.linkform-*.tmp\n";

/** A destination that was alive is not asked again for 20 hours, so a nightly run asks all of them. In milliseconds. */
const ALIVE_FOR = 20 * 3_600_000;
/** A new final host is reported for a week, so that somebody notices it. Then it is the known one. */
const MOVED_FOR = 7 * 24 * 3_600_000;

const entrySchema = z.object({
  redirects: z.array(z.string()),
  /** Null if it was not alive in the last run. */
  alive_at: z.iso.datetime().nullable(),
  /** The final host before, and when another one took its place. */
  moved: z.object({ from: z.string(), at: z.iso.datetime() }).optional(),
});
const cacheSchema = z.object({ format_version: z.literal("1.0"), destinations: z.record(z.string(), entrySchema) });

export type AnswerCache = Map<string, z.infer<typeof entrySchema>>;

/** A cache that is damaged, cannot be read or may come from a commit is empty. */
export async function readCache(projectFolder: string, env: GitEnvironment): Promise<AnswerCache> {
  const folder = new ProjectFolder(projectFolder);
  const read = async (): Promise<unknown> => {
    // In one from a commit, a pull request could say that everything is alive. Without git, only its mode shows that linkform wrote it.
    if (process.platform !== "win32" && (modeAt(folder.locate(FILE).path) & 0o077) !== 0) return null;
    const tracked = isOwn(folder) ? await trackedAt(folder.locate(FILE).path, env) : null;
    if (tracked === null || "unknown" in tracked || tracked.files.length > 0) return null;
    return JSON.parse((await folder.read(FILE)).toString("utf8"));
  };
  const parsed = cacheSchema.safeParse(await read().catch(() => null));
  return new Map(Object.entries(parsed.data?.destinations ?? {}));
}

/** Whether no symbolic link leads to another file of the project, which a commit may have changed, or which has another purpose. */
function isOwn(folder: ProjectFolder): boolean {
  return folder.locate(FILE).path === path.join(folder.root, FILE);
}

/** Keeps only these destinations. Throws the system's error, or a path error. */
export async function writeCache(cache: AnswerCache, projectFolder: string, urls: ReadonlySet<string>): Promise<void> {
  const known = [...cache].filter(([url]) => urls.has(url));
  const folder = new ProjectFolder(projectFolder);
  if (known.length === 0 || !isOwn(folder)) return;
  folder.makeFolderOf(FILE);
  const ignore = folder.locate(".linkform/.gitignore");
  if (typeAt(ignore) === "missing") replaceAt(ignore, IGNORED);
  const document = { format_version: "1.0", destinations: Object.fromEntries(known) };
  replaceAt(folder.locate(FILE), `${JSON.stringify(document, null, 2)}\n`, { mode: OWNER_ONLY });
}

/** The answer of a destination that was alive a short time ago; null if it has to be asked. */
export function cachedAnswer(cache: AnswerCache, url: string, now: string): Answer | null {
  const { alive_at: at = null, redirects = [] } = cache.get(url) ?? {};
  if (at === null || !isWithin(ALIVE_FOR, at, now)) return null;
  return { verdict: "alive", reason: `alive at ${at}`, redirects };
}

export function keepAnswer(cache: AnswerCache, url: string, { verdict, redirects }: Answer, now: string): void {
  const before = cache.get(url);
  if (verdict !== "alive") {
    if (before !== undefined) cache.set(url, { ...before, alive_at: null });
    return;
  }
  const answer = { redirects: [...redirects], alive_at: now };
  const [from, to] = [finalHost(url, before ?? answer), finalHost(url, answer)];
  const moved = from === to ? before?.moved : moveOf(cache, url, now)?.from === to ? undefined : { from, at: now };
  cache.set(url, moved === undefined ? answer : { ...answer, moved });
}

/** The final hosts of a destination before and now, if they are not the same. */
export function moveOf(cache: AnswerCache, url: string, now: string): { from: string; to: string } | null {
  const entry = cache.get(url);
  if (entry?.moved === undefined || !isWithin(MOVED_FOR, entry.moved.at, now)) return null;
  return { from: entry.moved.from, to: finalHost(url, entry) };
}

/** A time in the future is not from a run of this machine. */
function isWithin(time: number, at: string, now: string): boolean {
  const age = Date.parse(now) - Date.parse(at);
  return age >= 0 && age < time;
}

/** A host with `www.` is the same. */
function finalHost(url: string, { redirects }: Pick<Answer, "redirects">): string {
  return (hostOf(redirects.at(-1) ?? url) ?? "").replace(/^www\./, "");
}
