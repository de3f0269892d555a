// The edits of a YAML file as data. `writeEdits` in `writer.ts` applies them.

import type { Place } from "../domain/place.ts";
import type { Combination } from "../domain/project.ts";
import type { ResourceKind } from "../domain/table.ts";
import type { Block, YamlContent, YamlEntry } from "./yaml-text.ts";

/** Steps of which a file gets all or none. */
export type Edit = readonly Step[];

/** One change to a file. Places are those of the file before all edits: of the key of a block, or of a tombstone. */
export type Step =
  /** Sets and removes fields of a block, and gives it another key. Aliases of the block and its other fields stay. */
  | {
      readonly step: "change";
      readonly at: Place;
      readonly kind: ResourceKind;
      readonly parts: readonly BlockPart[];
      readonly key?: string;
    }
  /** Removes a block or a tombstone with its comments, and the section if it becomes empty. */
  | { readonly step: "remove"; readonly at: Place }
  /** Adds a combination to `exclude` of the family at this place. */
  | { readonly step: "exclude"; readonly at: Place; readonly combination: Combination }
  /** Adds a block. Additions at one spot keep the order of the edits. */
  | { readonly step: "add"; readonly kind: ResourceKind; readonly block: NewBlock; readonly spot: Spot }
  /** Adds a tombstone to the document of a block. With `takesComments`, it gets the comments and the note of the block. */
  | {
      readonly step: "tombstone";
      readonly beside: Place;
      readonly kind: ResourceKind;
      readonly key: string;
      readonly id: number | null;
      readonly takesComments: boolean;
    };

/** The block of an object: its key, with the domain unless the defaults of its place have it, and its fields. */
export interface NewBlock extends YamlEntry {
  readonly value: Block;
}

/** A part of a block, by its path. Without content, it is removed. */
export interface BlockPart {
  readonly path: readonly string[];
  readonly content: YamlContent | undefined;
}

/** The end of the section in the document of a block, or in the last document that has the section (null). */
export type Spot = { readonly inDocumentOf: Place } | null;

export interface WrittenFile {
  /** The text with all edits that are not left alone. Nothing else in it has changed. */
  readonly text: string;
  /** Edits that the writer cannot make without changing other text, with the reason: "it uses an alias". */
  readonly leftAlone: ReadonlyMap<Edit, string>;
}
