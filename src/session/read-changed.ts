// `--changed`: reads only what differs from the base.

import { partialState } from "./read-account.ts";
import type { LiveState } from "../domain/live.ts";
import type { Project } from "../domain/project.ts";
import { changedPart, type ChangedPart } from "../plan/changed.ts";
import { usersOfDeleted, type Files } from "../plan/reading.ts";

interface ChangedReading {
  readonly part: ChangedPart;
  readonly state: LiveState;
}

/** Reads the changed part of a project with `read`, or nothing if nothing changed. Null if everything must be compared. */
export async function readChanged(
  project: Project,
  base: Project | null,
  between: readonly Project[],
  resendSecrets: readonly string[],
  read: (files: Files) => Promise<LiveState>,
): Promise<ChangedReading | null> {
  let part = changedPart(project, base, between, resendSecrets);
  while (part !== null && part.planned.length > 0) {
    const files = { project: part.project, base: part.base, isPart: true };
    const state = await read(files);
    // Only the account shows all links that use a pixel to be deleted. They are changed first.
    const wider = changedPart(project, base, between, resendSecrets, usersOfDeleted(files, state));
    if (wider === null || wider.planned.length <= part.planned.length) return { part, state };
    part = wider;
  }
  return part && { part, state: partialState({}, 0) };
}
