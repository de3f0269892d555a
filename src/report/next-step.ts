// What a person does about an apply that did not do all: a sentence or two.

/** A change that was not made, and the code that says why; null where there is none. */
interface Left {
  readonly outcome: "applied" | "failed" | "skipped";
  readonly error: { readonly code: string } | null;
}

/** What comes before running it again, by the code of what went wrong or stopped the run. */
const FIRST: readonly { readonly codes: readonly string[]; readonly step: string }[] = [
  { codes: ["unauthenticated"], step: "Give the key that the service accepts, in LINKFORM_API_KEY or --api-key-file." },
  { codes: ["forbidden"], step: "Use a key of an account that may do this." },
  { codes: ["refused"], step: "Correct in the files what the service refuses, at the lines named above." },
  {
    codes: ["account-changed", "taken", "doubled"],
    step: "See with `linkform plan` what is there now under that name, for it would be changed; or take another name.",
  },
  { codes: ["not-as-declared"], step: "See with `linkform plan` what is different." },
  { codes: ["moved"], step: "Plan anew what has moved, with `linkform plan --out`." },
  { codes: ["journal-unwritable"], step: "Make room for the journal, or name another file with --journal." },
];

/** What to do about these changes; `stopped` are the codes of what ended the run early, `again` the command that goes on. */
export function whatNow(
  told: readonly Left[],
  {
    stopped,
    again,
    isStarted,
  }: { readonly stopped: readonly string[]; readonly again: string; readonly isStarted: boolean },
): string {
  const left = told.filter(({ outcome }) => outcome !== "applied");
  const codes = new Set([...left.flatMap(({ error }) => error?.code ?? []), ...stopped]);
  const first = FIRST.flatMap(({ codes: of, step }) => (of.some((code) => codes.has(code)) ? [step] : []));
  // A saved plan that is applied again moves nothing.
  if (left.every(({ error }) => error?.code === "moved")) return first.join(" ");
  if (first.length > 0)
    return `${first.join(" ")} Then run \`${again}\` again${isStarted ? ": what is done stays done" : ""}.`;
  return `Run \`${again}\` again: it reads the account first, and does only what is left.`;
}
