// Pulls the live state into a project that is not written yet, so that everything is written together.

import { overlayFiles, type FileSource } from "../config/file-source.ts";
import type { Loaded } from "../config/load.ts";
import { type Diagnostic } from "../domain/diagnostic.ts";
import type { Project } from "../domain/project.ts";
import { resourceSchemaFor } from "../edit/schema-line.ts";
import { pendingProblem } from "../pull/command.ts";
import { pullInto, type PullResult } from "../pull/pull.ts";
import { readForPull } from "../pull/read.ts";
import type { PullCriteria } from "../pull/selection.ts";
import { connectReader } from "../service/service.ts";
import { openSession, sessionOptions } from "../session/session.ts";
import type { Console } from "../session/console.ts";
import type { ProjectPlace } from "./place.ts";
import type { KeyedWorld } from "./service.ts";

export interface PulledProject extends PullResult {
  /** Errors that prevent writing. */
  readonly problems: readonly Diagnostic[];
}

/**
 * Reads the account and declares its objects. `source` has the files without the new ones, which are `texts`; `loaded` has both.
 */
export async function pullNewProject(
  { world, flags }: KeyedWorld,
  out: Console,
  { file }: ProjectPlace,
  source: FileSource,
  texts: ReadonlyMap<string, string>,
  loaded: Loaded & { readonly project: Project },
  criteria: Pick<PullCriteria, "domains" | "spaces">,
): Promise<PulledProject> {
  const { project } = loaded;
  const state = await openSession(sessionOptions(world, flags, out), async ({ connect }) => {
    const transport = await connect(project.baseUrl.value, null);
    return readForPull(project, [], connectReader(transport), world.secrets);
  });
  const pulled = await pullInto({
    source: overlayFiles(source, texts),
    loaded,
    project,
    texts,
    state,
    now: world.now(),
    criteria: { ...criteria, keys: [], aliases: [] },
    // The chosen domains can have no links yet.
    mayBeEmpty: true,
    split: null,
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
