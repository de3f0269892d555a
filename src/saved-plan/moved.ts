// Why a saved change is not made: a sentence that says what is different now.

import { rowIdOf, type Change } from "../domain/change.ts";
import type { ChangeDocument } from "../view/document.ts";
import { sameWord, type CurrentState } from "./present.ts";
import { showWords } from "../view/values.ts";

/** What differs, and the change that the files ask for in place of the saved one. */
export function whyMoved(
  saved: ChangeDocument,
  present: CurrentState,
): { readonly because: string; readonly instead: Change | undefined } {
  const instead = present.changeOf(saved.kind, saved.id) ?? present.changeAt(saved);
  const because = instead === undefined ? whyGone(saved, present) : whyOther(saved, instead, present);
  return { because, instead };
}

/** Nothing is asked for in its place. */
function whyGone(saved: ChangeDocument, present: CurrentState): string {
  if (present.withholds(saved)) return "The project leaves such changes out now.";
  if (saved.action === "delete") return "Nothing asks for its deletion any more.";
  if (!present.declares(saved)) return "No file declares it any more.";
  return "The files don't ask for this any more.";
}

const DONE = { create: "created", update: "updated", replace: "replaced", delete: "deleted" } as const;

function whyOther(saved: ChangeDocument, instead: Change, present: CurrentState): string {
  const id = rowIdOf(instead);
  if (instead.action !== saved.action) {
    const there =
      id === null
        ? `The row with id ${saved.id} is no longer there`
        : saved.id === null
          ? `It is there now (id ${id})`
          : "It is not as it was";
    return `${there}: it would be ${DONE[instead.action]} now, not ${DONE[saved.action]}.`;
  }
  if (id !== saved.id) return `It is the row with id ${id} now, no longer the one with id ${saved.id}.`;
  if (instead.key !== saved.key) return `It would be \`${instead.key}\` now.`;
  if (instead.previousKey !== saved.previous_key)
    return `It is \`${instead.previousKey ?? instead.key}\` now, no longer \`${saved.previous_key ?? saved.key}\`.`;
  if (instead.breaksUrl && !saved.breaks_url)
    return "It would end the short URL now, which the saved plan does not show.";
  return `${fieldDifferences(saved, instead, present).join("; ")}.`;
}

/** As many are told as a person reads. */
const MOST = 3;

function fieldDifferences(saved: ChangeDocument, instead: Change, present: CurrentState): string[] {
  const asked = present.fieldsOf(instead);
  const differences = [
    ...saved.fields.flatMap(({ path, before, after }) => {
      const now = asked.find((field) => field.path === path);
      if (now === undefined) return [`\`${path}\` would not change any more`];
      if (!sameWord(now.after, after)) {
        const [reviewed, wanted] = showWords(after, now.after);
        return [`\`${path}\` would become ${wanted}, not ${reviewed}`];
      }
      if (!sameWord(now.before, before)) {
        const [then, is] = showWords(before, now.before);
        return [`\`${path}\` is ${is}, no longer ${then}`];
      }
      return [];
    }),
    ...asked.flatMap(({ path, before, after }) =>
      saved.fields.some((field) => field.path === path)
        ? []
        : [`\`${path}\` would change as well (${showWords(before, after).join(" → ")})`],
    ),
  ];
  const more = differences.length - MOST;
  if (differences.length === 0) return ["What the new row is stored with is different"];
  return more > 0 ? [...differences.slice(0, MOST), `and ${more} more`] : differences;
}
