// Pulls the live state into a project that is not written yet, so that everything is written together.

import { loadFrom, type Loaded } from "../config/load.ts";
import { overlayFiles, type FileSource } from "../config/file-source.ts";
import type { Live } from "../domain/change.ts";
import { type Diagnostic } from "../domain/diagnostic.ts";
import type { LiveState } from "../domain/live.ts";
import { pullInto, type PullResult } from "../pull/pull.ts";
import { resourceSchemaFor } from "../edit/schema-line.ts";
import { exists } from "../files/named.ts";
import { connectReader } from "../service/service.ts";
import { openSession, sessionOptions } from "../session/session.ts";
import type { Console } from "../session/console.ts";
import type { ProjectPlace } from "./place.ts";
import type { KeyedWorld } from "./service.ts";
import { filesBelow, pendingProblem } from "../pull/command.ts";
import { readForPull } from "../pull/read.ts";

export interface PulledProject extends PullResult {
  /** Errors that prevent writing. */
  readonly problems: readonly Diagnostic[];
}

/** Reads the account and declares its objects. `texts` are the other new files of the project. */
export async function pullNewProject(
  { world, flags }: KeyedWorld,
  out: Console,
  baseUrl: string,
  { place: { folder, file }, source, texts, wants }: NewProjectInput,
): Promise<PulledProject> {
  const now = world.now();
  const loaded = await loadFrom(overlayFiles(source, texts), file, { now });
  if (loaded.project === null) throw new Error("the project is valid, and can't be loaded");
  const state = await readLive({ world, flags }, out, baseUrl, loaded);
  const pulled = await pullInto({
    source: overlayFiles(source, texts),
    loaded,
    project: loaded.project,
    texts,
    state,
    now,
    criteria: { keys: [], domains: [], spaces: [], aliases: [], accepts: wants },
    // The chosen domains can have no links yet.
    mayBeEmpty: true,
    split: null,
    taken: exists(folder) ? filesBelow(folder) : [],
    schema: (name) => resourceSchemaFor(texts.get(file) ?? "", name),
  });
  return {
    ...pulled,
    problems: [
      ...pulled.diagnostics.filter(({ severity }) => severity === "error"),
      ...pulled.pending.map(pendingProblem),
    ],
  };
}

export interface NewProjectInput {
  readonly place: ProjectPlace;
  /** The source without the new files. */
  readonly source: FileSource;
  readonly texts: ReadonlyMap<string, string>;
  /** Selects links; null: all. */
  readonly wants: ((live: Live) => boolean) | null;
}

function readLive(
  { world, flags }: KeyedWorld,
  out: Console,
  baseUrl: string,
  { project }: Loaded,
): Promise<LiveState> {
  return openSession(sessionOptions(world, flags, out), async ({ connect }) => {
    const transport = await connect(baseUrl, null);
    if (project === null) throw new Error("nothing to hold the account against");
    return readForPull(project, [], connectReader(transport), out, world.secrets);
  });
}
