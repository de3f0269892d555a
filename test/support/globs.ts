// The meaning of a glob of keys, as a regular expression.

import { fold } from "../../src/sandbox/fold.ts";

/** Whether a glob matches a key. */
export function matches(glob: string, key: string): boolean {
  const pattern = [...fold(glob)].map((sign) =>
    sign === "*" ? ".*" : sign === "?" ? "." : sign.replace(/[\\^$.*+?()[\]{}|/]/, String.raw`\$&`),
  );
  return new RegExp(`^${pattern.join("")}$`, "su").test(fold(key));
}
