// What is live as files of the project that is about to be written: it all comes into being together, or not at all.

import { loadFrom, type Loaded } from "../config/load.ts";
import { overlaid } from "../config/overlay.ts";
import type { FileSource } from "../config/source.ts";
import type { Live } from "../domain/change.ts";
import { hasErrors, type Diagnostic } from "../domain/diagnostic.ts";
import type { LiveState } from "../domain/live.ts";
import { pullInto, type Pulled } from "../pull/pull-loop.ts";
import { resourceSchemaFor } from "../edit/schema-line.ts";
import { exists } from "../files/named.ts";
import { createPlan, NO_OPTIONS } from "../plan/plan.ts";
import { connectReader } from "../service/service.ts";
import type { Transport } from "../service/transport.ts";
import { limitTime, openTransport } from "../session/connect.ts";
import type { Console } from "../session/console.ts";
import type { ProjectPlace } from "./place.ts";
import type { KeyedWorld } from "./service.ts";
import { filesBelow, pendingProblem } from "../pull/command.ts";
import { readForPull } from "../pull/read.ts";

/** What is live, in the words of the new files. */
export interface Brought extends Pulled {
  /** What keeps it from being written. */
  readonly problems: readonly Diagnostic[];
  /** Whether nothing would be deleted, or changed at all, if the project file were this text: it may prune, then. */
  readonly isEmptyWith: (projectText: string) => Promise<boolean>;
}

/** Reads the account, and declares all of it. `texts` are those of the new files, all that the project has. */
export async function bring(
  { world, flags }: KeyedWorld,
  out: Console,
  baseUrl: string,
  { place: { folder, file }, source, texts, wants }: Begun,
): Promise<Brought> {
  const now = world.now();
  const loaded = await loadFrom(overlaid(source, texts), file, { now });
  if (loaded.project === null) throw new Error("the project is valid, and can't be loaded");
  const state = await readLive({ world, flags }, out, baseUrl, loaded);
  const pulled = await pullInto({
    source: overlaid(source, texts),
    loaded,
    project: loaded.project,
    texts,
    state,
    now,
    asked: { keys: [], domains: [], spaces: [], aliases: [], hasStatus: wants },
    gone: "keep",
    isGoneSaid: false,
    split: null,
    taken: exists(folder) ? filesBelow(folder) : [],
    schema: (name) => resourceSchemaFor(texts.get(file) ?? "", name),
    idOf: () => null,
  });
  const all = new Map([...texts, ...pulled.texts]);
  return {
    ...pulled,
    problems: [
      ...pulled.diagnostics.filter(({ severity }) => severity === "error"),
      ...pulled.pending.map(pendingProblem),
    ],
    isEmptyWith: async (projectText) => {
      const { project } = await loadFrom(overlaid(source, all.set(file, projectText)), file, { now });
      if (project === null) return false;
      const plan = createPlan(project, state, now, NO_OPTIONS);
      return plan.changes.length === 0 && !hasErrors(plan.diagnostics);
    },
  };
}

/** A project that is not written yet. */
export interface Begun {
  readonly place: ProjectPlace;
  /** What is there without it. */
  readonly source: FileSource;
  readonly texts: ReadonlyMap<string, string>;
  /** Which links are meant; null: all. */
  readonly wants: ((live: Live) => boolean) | null;
}

async function readLive(
  { world, flags }: KeyedWorld,
  out: Console,
  baseUrl: string,
  { project }: Loaded,
): Promise<LiveState> {
  const ending = limitTime(world, flags.timeout);
  let transport: Transport | null = null;
  try {
    transport = await openTransport(world, flags, { baseUrl, software: null, signal: ending.signal }, out);
    if (project === null) throw new Error("nothing to hold the account against");
    return (await readForPull(project, [], connectReader(transport), out)).state;
  } finally {
    out.progress.stop();
    ending.done();
    await transport?.close();
  }
}
