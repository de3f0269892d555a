// Compares the report of a run with what the run did.

import type { ApplyDocument } from "../../src/report/json/schema.ts";
import type { State } from "../../src/sandbox/index.ts";
import type { Ran } from "../support/scenario.ts";
import { differences } from "./declared.ts";
import type { Reference, Trial } from "./trial.ts";

/** The account at the end of the run, and after the service had completed all requests. */
interface States {
  readonly atEnd: State;
  readonly settled: State;
}

/** Unclear or wrong statements in the result of a run, as sentences. */
export function resultProblems(ran: Ran, states: States, reference: Reference): string[] {
  const { exit, out } = ran;
  const document = parseDocument(out);
  if (document === null) return [`exit ${exit}, and stdout is not one JSON document: ${out}`];
  return [
    ...exitProblem(exit, document),
    ...document.changes.flatMap(outcomeProblem),
    ...untruths(exit, document, states, reference),
  ];
}

function parseDocument(out: string): ApplyDocument | null {
  try {
    return JSON.parse(out);
  } catch {
    return null;
  }
}

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
  exit: number,
  { changes }: ApplyDocument,
  { atEnd, settled }: States,
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
export function writtenSecrets(written: readonly string[], { sandbox, setting }: Trial): string[] {
  return [...Object.values(setting.secrets), sandbox.apiKey].flatMap((secret) => {
    const spellings = [secret, new URLSearchParams({ secret }).toString().slice("secret=".length)];
    return written.some((text) => spellings.some((spelling) => text.includes(spelling)))
      ? [`a secret was written: ${secret}`]
      : [];
  });
}
