// What a document is, for whoever adds to it: where it stands, its sections, and what its defaults give.

import type { Place } from "../domain/place.ts";
import type { Declared } from "../domain/project.ts";
import { givenIn, readUnspecified, type Inherited } from "./blocks.ts";
import type { TreeNode } from "./tree.ts";

/** A YAML document that was read, of the project file or a resource file. */
export interface DocumentOutline {
  readonly file: string;
  /** Which of the documents of its file it is, from 0; empty ones are counted. */
  readonly index: number;
  /** Where its content begins. */
  readonly place: Place;
  /** Its keys (`defaults`, `pixels`, `links`, `absent` and others), and where each stands. */
  readonly sections: ReadonlyMap<string, Place>;
  /**
   * What `defaults.link`, its own over the project's, give to its links, by path and as they stand there (`settleGiven` puts
   * them in canonical form); besides, by its `timePath`, the time of day that a date alone means.
   */
  readonly given: ReadonlyMap<string, Declared>;
  /** What silence means for blocks that don't say. */
  readonly unspecified: "reset" | "keep";
}

/** Tells of a document what it is. */
export function outlineOf(document: TreeNode, index: number, inherited: Inherited): DocumentOutline {
  const sections = document.type === "map" ? document.entries.map(({ key, keyPlace }) => [key, keyPlace] as const) : [];
  return {
    file: document.place.file,
    index,
    place: document.place,
    sections: new Map(sections),
    given: givenIn(document, inherited),
    unspecified: readUnspecified(document) ?? inherited.unspecified,
  };
}
