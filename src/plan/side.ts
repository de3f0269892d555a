// What the two sides of a comparison share: the meaning of names.

import type { Zones } from "../domain/change.ts";
import type { Diagnostic } from "../domain/diagnostic.ts";
import type { NameDirectory } from "./directory.ts";
import type { Keys, PixelNames } from "./names.ts";

/** What texts of the files and ids of rows mean. */
export interface ComparisonSide {
  readonly domains: NameDirectory;
  readonly spaces: NameDirectory;
  readonly pixels: Pick<PixelNames, "ofMention" | "nearest" | "ofRow">;
  readonly keys: Keys;
  readonly zones: Zones;
  readonly diagnostics: Diagnostic[];
}
