// Live links that use a pixel which is to go, and that no file declares: a plan would refuse to take it from them.

import { error, type Diagnostic } from "../domain/diagnostic.ts";
import { fold } from "../domain/fold.ts";
import type { Project } from "../domain/project.ts";
import { nameOf } from "../plan/names.ts";
import type { Reader } from "../service/service.ts";
import type { FoundRecords } from "./rm-find.ts";

/** Links that are named; the others are counted. */
const NAMED = 10;

/** What is wrong with deleting these pixels: who uses them still, other than links that the files let go of them. */
export async function liveUsers(
  found: readonly FoundRecords[],
  project: Project,
  reader: Reader,
): Promise<Diagnostic[]> {
  const declared = new Set(project.declarations.flatMap((one) => (one.kind === "link" ? [fold(one.name)] : [])));
  const pixels = found.flatMap(({ declaration, rows, former }) =>
    declaration.kind === "pixel" ? [...rows, ...former].map((row) => ({ declaration, row })) : [],
  );
  const problems = await Promise.all(
    pixels.map(async ({ declaration, row }) => {
      const links = (await reader.list("link", { pixel: row.id })).rows;
      const users = links.filter((link) => !declared.has(fold(nameOf(link))));
      if (users.length === 0) return [];
      const named = users.slice(0, NAMED).map((link) => `\`${nameOf(link)}\` (id ${link.id})`);
      const more = users.length > NAMED ? ` and ${users.length - NAMED} more` : "";
      const message = `The pixel \`${row.key}\` is used by live links that no file declares: ${named.join(", ")}${more}.`;
      const hint = "Take it out of these links first: no plan would delete it while they use it.";
      return [error("pixel-in-use", message, declaration.place, hint)];
    }),
  );
  return problems.flat();
}
