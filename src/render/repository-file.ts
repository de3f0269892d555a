// Where a place lies in the repository: what shows reports beside the files knows them by their path from its root.

import type { Place } from "../domain/place.ts";
import type { Setting } from "./format.ts";

/** The path of a place's file from the root of the repository; null where it stands in a commit and not in the files as they are. */
export function repositoryFile({ project }: Pick<Setting, "project">, place: Place): string | null {
  return (place.source?.ref ?? null) === null ? repositoryPath({ project }, place) : null;
}

/** The same for a place wherever it stands. */
export function repositoryPath({ project }: Pick<Setting, "project">, { file }: Pick<Place, "file">): string {
  return `${project.slice(0, project.lastIndexOf("/") + 1)}${file}`;
}
