// A fault at each request of an apply: one run for each, followed by a run without a fault.

import type { ApplyDocument } from "../../src/report/json/schema.ts";
import type { State } from "../../src/sandbox/index.ts";
import { isListFault, listOf, STRIKES, type FaultName } from "../support/faults.ts";
import type { Asked } from "../support/layer.ts";
import { differences } from "./declared.ts";
import { isAny, problemsAfter, type Check, type Ended } from "./struck.ts";
import { problemsAfterAnother, type Reference, type Setting, type Trial } from "./trial.ts";

/** The problems with this fault at each request, as sentences. A lasting one is also at all later requests. */
export async function violationsOf(
  setting: Setting,
  name: FaultName,
  { isLasting = false }: { readonly isLasting?: boolean } = {},
): Promise<string[]> {
  const applies = isListFault(name) ? ({ method, url }: Asked): boolean => listOf(method, url) !== null : isAny;
  const faulty = { run: "apply", strike: STRIKES[name], ends: null, applies, isLasting } as const;
  // If the order of events matters, the clock is slower: the machine may be busy with other runs for 50 ms.
  return problemsAfter(setting, { ...faulty, ...(name === "slow-store" && { speed: 10 }) }, honest);
}

/** Unclear or wrong statements in the result of a run, and the differences from the declared state after another apply. */
const honest: Check = async (trial, reference, ended) => {
  const { layer, sandbox } = trial;
  const document: ApplyDocument = JSON.parse(ended.out);
  return [
    ...exitProblem(ended.exit, document),
    ...document.changes.flatMap(outcomeProblem),
    ...untruths(ended, document, sandbox.state(), reference),
    ...writtenSecrets([ended.out, ended.err], trial),
    ...layer.overlapping.map(
      ({ body }) => `stored while its first store was under way: ${body.toString().slice(0, 60)}`,
    ),
    ...(await problemsAfterAnother(trial, reference)),
  ];
};

/** 0: everything was applied. 1: nothing was applied, with a reason. 4: something failed or was skipped. No other code is allowed. */
function exitProblem(exit: number, { changes, diagnostics, result }: ApplyDocument): string[] {
  const { applied, failed, skipped } = result;
  const fits =
    exit === 0
      ? failed + skipped === 0 && applied > 0
      : exit === 1
        ? applied === 0 && (changes.length > 0 || diagnostics.some(({ severity }) => severity === "error"))
        : exit === 4 && failed + skipped > 0;
  return fits ? [] : [`exit ${exit} with ${applied} applied, ${failed} failed, ${skipped} skipped`];
}

function outcomeProblem({ kind, key, outcome, error }: ApplyDocument["changes"][number]): string[] {
  if (!["applied", "failed", "skipped"].includes(outcome)) return [`${kind} ${key} has no outcome`];
  if (outcome === "applied") return error === null ? [] : [`${kind} ${key} is applied and has an error`];
  const isClear = error !== null && error.message.trim() !== "" && error.code !== "" && error.code !== "internal-error";
  return isClear ? [] : [`${kind} ${key} ${outcome}: ${JSON.stringify(error)}`];
}

/** Changes that are reported as applied must be live at the end of the run. If none was applied, nothing may change, even later. */
function untruths(
  { exit, atEnd }: Ended,
  { changes }: ApplyDocument,
  settled: State,
  { seed, declared }: Reference,
): string[] {
  const applied = new Set(changes.flatMap((one) => (one.outcome === "applied" ? `${one.kind} ${one.key}` : [])));
  const open = differences(atEnd, declared, seed).filter(({ key }) => exit === 0 || applied.has(key));
  const done = exit === 1 ? differences(settled, seed, seed) : [];
  return [
    ...open.map(({ key, says }) => `${exit === 0 ? "exit 0" : "reported as applied"}, but ${key} ${says}`),
    ...done.map(({ key, says }) => `exit 1, but ${key} ${says}`),
  ];
}

/** Secrets and API keys in the output, in plain text or encoded as in a form. */
function writtenSecrets(written: readonly string[], { sandbox, setting }: Trial): string[] {
  return [...Object.values(setting.secrets), sandbox.apiKey].flatMap((secret) => {
    const spellings = [secret, new URLSearchParams({ secret }).toString().slice("secret=".length)];
    return written.some((text) => spellings.some((spelling) => text.includes(spelling)))
      ? [`a secret was written: ${secret}`]
      : [];
  });
}
