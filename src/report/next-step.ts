// What a person does about an apply that did not do all.

import { KEY_FIELD, type ResourceKind } from "../domain/table.ts";
import { visible } from "./unseen.ts";

/** A change, and why it was not made: a code, and the field that the service speaks of. */
interface Told {
  readonly kind: ResourceKind;
  readonly outcome: "applied" | "failed" | "skipped";
  readonly error: { readonly code: string; readonly path: string | null } | null;
}

/** What stands for `refused` where it is the alias or the name that is: somebody else may have it. */
const KEY_REFUSED = "refused key";

interface Step {
  readonly codes: readonly string[];
  readonly step: string;
  /** The same for an undo, whose lines are those of a receipt: null where running it again says it. Left out where it is no other. */
  readonly undo?: string | null;
}

const REFUSED =
  "What the service no longer takes can't be given back as it was: leave it out with --exclude, or set it by hand.";

/** What comes before running it again, by the code of what went wrong or stopped the run. */
const FIRST: readonly Step[] = [
  { codes: ["unauthenticated"], step: "Give a key that the service accepts, in LINKFORM_API_KEY or --api-key-file." },
  { codes: ["forbidden"], step: "Use a key of an account that may do this." },
  {
    codes: ["refused"],
    step: "Correct in the files what the service refuses, at the lines named above.",
    undo: REFUSED,
  },
  {
    codes: [KEY_REFUSED],
    undo: REFUSED,
    step: "Where an alias or name is refused, take another; if it is taken, `linkform plan --show-unmanaged` shows by what. Where the service says that there are too many, make room.",
  },
  {
    codes: ["account-changed", "taken", "doubled"],
    undo: null,
    step: "See with `linkform plan` what has the name now. If it is not yours to change, take another name in the files.",
  },
  { codes: ["not-as-declared"], step: "See with `linkform plan` what is different.", undo: null },
  { codes: ["max-wait"], step: "Wait a little, or allow more with --max-wait." },
  { codes: ["journal-unwritable"], step: "Make room for the journal, or name another file with --journal." },
];

const MOVED = "moved";

/** How the run ended that left something. */
export interface Ending {
  /** The codes of what ended it early. */
  readonly stopped: readonly string[];
  /** The command that goes on with what is left. */
  readonly again: string;
  /** That command is an undo. */
  readonly isUndo?: boolean;
  /** Something has been applied. */
  readonly isStarted: boolean;
}

/** What to do about what these changes have left, step by step. */
export function nextSteps(told: readonly Told[], { stopped, again, isStarted, isUndo = false }: Ending): string[] {
  const left = told.filter(({ outcome }) => outcome !== "applied");
  const codes = new Set([...left.flatMap((one) => codeOf(one) ?? []), ...stopped]);
  const steps = FIRST.filter(({ codes: of }) => of.some((code) => codes.has(code)));
  const first = [...new Set(steps.flatMap(({ step, undo = step }) => (isUndo ? (undo ?? []) : step)))];
  const kept =
    first.length === 0
      ? ": it reads the account first, and does only what is left"
      : isStarted
        ? ": what is done stays done"
        : "";
  // What has moved is left, however often the saved plan is applied.
  const hasMore = left.some(({ error }) => error?.code !== MOVED);
  return [
    ...(hasMore ? [...first, `Run \`${visible(again)}\` again${kept}.`] : []),
    ...(codes.has(MOVED) ? ["Plan anew what has moved: `linkform plan --out FILE`."] : []),
  ];
}

function codeOf({ kind, error }: Told): string | null {
  return error?.code === "refused" && error.path === KEY_FIELD[kind] ? KEY_REFUSED : (error?.code ?? null);
}
