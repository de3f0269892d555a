// What a person does about an apply that did not do all.

import { KEY_FIELD, type ResourceKind } from "../domain/table.ts";
import { visible } from "../domain/control-characters.ts";

/** A change, and why it was not made: a code, and the field that the service speaks of. */
interface OutcomeCause {
  readonly kind: ResourceKind;
  readonly outcome: "applied" | "failed" | "skipped";
  readonly error: { readonly code: string; readonly path: string | null } | null;
}

/** What stands for `refused` where it is the alias or the name that is: somebody else may have it. */
const KEY_REFUSED = "refused key";
const NOT_ACCEPTED = "not-as-declared";

interface NextStep {
  readonly codes: readonly string[];
  readonly step: string;
  /** The same for an undo, whose lines are those of a receipt. Left out if it is the same. */
  readonly undo?: string;
}

const REFUSED =
  "What the service no longer takes can't be given back as it was: leave it out with --exclude, or set it by hand.";

/** What comes before running it again, by the code of what went wrong or stopped the run. */
const FIRST: readonly NextStep[] = [
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
    undo: "Something else has the name now. Rename it first, or leave the change out with --exclude.",
    step: "See with `linkform plan` what has the name now. If it is not yours to change, take another name in the files.",
  },
  {
    codes: [NOT_ACCEPTED],
    step: "Change in the files what the service did not accept, at the lines named above, or report it to whoever runs the service. Another run would send the same.",
    undo: "Report to whoever runs the service what it did not accept, or leave it out with --exclude. Another run would send the same.",
  },
  { codes: ["internal-error"], step: "Report the internal error: it is a bug in linkform." },
  { codes: ["max-wait"], step: "Wait a little, or allow more with --max-wait." },
  { codes: ["journal-unwritable"], step: "Make room for the journal, or name another file with --journal." },
];

/** Something else happened to the row: what a new plan shows has to be decided on. */
const LOOK_FIRST: readonly string[] = ["moved", "changed-meanwhile", "not-verified"];

/** After these another run would end in the same way. */
const FINAL: ReadonlySet<string> = new Set([NOT_ACCEPTED, "internal-error", ...LOOK_FIRST]);

/** Failures of the service that may pass, or not. */
const PERHAPS_LASTING: readonly string[] = ["server-error", "not-json", "shape", "redirect"];

/** How the run ended that left something. */
export interface RunEnding {
  /** The codes of what ended it early. */
  readonly stopped: readonly string[];
  /** The command that goes on with what is left. */
  readonly again: string;
  /** The command that shows the pending changes. */
  readonly look: string;
  /** That command is an undo. */
  readonly isUndo?: boolean;
  /** Something has been applied. */
  readonly isStarted: boolean;
}

/** What to do about what these changes have left, step by step. */
export function nextSteps(results: readonly OutcomeCause[], ending: RunEnding): string[] {
  const { stopped, again, look, isStarted, isUndo = false } = ending;
  const left = results.filter(({ outcome }) => outcome !== "applied");
  const codes = new Set([...left.flatMap((one) => codeOf(one) ?? []), ...stopped]);
  const steps = FIRST.filter(({ codes: of }) => of.some((code) => codes.has(code)));
  const first = [...new Set(steps.map(({ step, undo = step }) => (isUndo ? undo : step)))];
  const kept =
    first.length === 0
      ? ": it reads the account first, and does only what is left"
      : isStarted
        ? ": what is done stays done"
        : "";
  const lasting = PERHAPS_LASTING.some((code) => codes.has(code))
    ? " If it fails in the same way, report the message to whoever runs the service."
    : "";
  return [
    ...first,
    ...(LOOK_FIRST.some((code) => codes.has(code)) ? [`See what would be done now: \`${visible(look)}\`.`] : []),
    ...(canGoOn(left, stopped) ? [`Run \`${visible(again)}\` again${kept}.${lasting}`] : []),
  ];
}

/** Whether another run can do more. What was skipped because something else failed depends on that. */
function canGoOn(left: readonly OutcomeCause[], stopped: readonly string[]): boolean {
  const causes = left.flatMap(({ error }) => (error === null || error.code === "skipped" ? [] : error.code));
  return (
    stopped.some((code) => !FINAL.has(code)) ||
    causes.some((code) => !FINAL.has(code)) ||
    (causes.length === 0 && left.length > 0)
  );
}

function codeOf({ kind, error }: OutcomeCause): string | null {
  return error?.code === "refused" && error.path === KEY_FIELD[kind] ? KEY_REFUSED : (error?.code ?? null);
}
