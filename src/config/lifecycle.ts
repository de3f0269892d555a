// Who owns a link, and when to review it: keys of links and their defaults that are never sent.

import * as z from "zod";
import type { Diagnostic } from "../domain/diagnostic.ts";
import type { Declaration } from "../domain/project.ts";
import { date, optional, textLike } from "./field-schema.ts";
import { findValue } from "./fields.ts";
import { dateIn, textsIn } from "./texts.ts";
import type { TreeNode } from "./yaml.ts";

const ownerShape = "This must be the name of a person or team, or a list of names.";

/** The keys of links and of `defaults.link`. */
export const lifecycleKeys: Readonly<Record<string, z.ZodType>> = {
  owner: optional(
    "The people or teams in charge of the link. They are never sent to the service.",
    ["growth-team", ["growth-team", "brand"]],
    z
      .union([textLike(ownerShape), z.array(textLike(ownerShape).meta({ description: "A person or team." }))], {
        error: ownerShape,
      })
      .nullable(),
  ),
  review_by: optional(
    "The date to review the link. From that day on, `validate` and `drift` warn. It is never sent to the service.",
    ["2027-06-30"],
    date.nullable(),
  ),
};

/** Reads these keys. `layers` are the link and its defaults: the nearest one that has a key sets it, and `null` clears it. */
export function readLifecycle(
  layers: readonly TreeNode[],
  diagnostics: Diagnostic[],
): Pick<Declaration, "owners" | "reviewBy"> {
  const nearest = (key: string): TreeNode | undefined => findValue(layers, [key, null])?.node;
  const owners = textsIn(nearest("owner")).map(({ text }) => text);
  return { owners: [...new Set(owners)], reviewBy: dateIn(nearest("review_by"), diagnostics) };
}
