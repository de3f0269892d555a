// Compiled against the installed package: the types are there, say what docs/library.md says, and keep plans from being changed.

import {
  applyPlan,
  createPlan,
  EXIT,
  loadProject,
  planDocument,
  planText,
  readLive,
  ServiceError,
  UserError,
} from "linkform";
import type { Applied, Diagnostic, LiveState, Outcome, Plan, PlanDocument, Project, ServiceErrorCode } from "linkform";
import { startSandbox } from "linkform/sandbox";
import type { Sandbox, SandboxOptions, State } from "linkform/sandbox";

const options: SandboxOptions = { seed: { links: [{ url: "https://example.com/", domain: 2, alias: "a" }] } };
const sandbox: Sandbox = await startSandbox(options);
const state: State = sandbox.state();
const { project, diagnostics } = await loadProject("short-links", { base: undefined });
const found: readonly Diagnostic[] = diagnostics;
if (project === null) throw new UserError("mistakes", String(found.length), { exit: EXIT.error });
const known: Project = project;
// @ts-expect-error A key must be handed in.
await readLive(known, {});
const live: LiveState = await readLive(known, { apiKey: sandbox.apiKey, signal: new AbortController().signal });
const plan: Plan = createPlan(known, live, { allowances: { deletes: 3 }, now: new Date() });
// @ts-expect-error A plan is read, not written.
plan.changes.length = 0;
// @ts-expect-error What is read is no plan.
await applyPlan(live, { apiKey: sandbox.apiKey });
const document: PlanDocument = planDocument(plan);
const text: string = planText(plan, { color: true, columns: 80 });

/** Every ending of a change. */
function say(outcome: Outcome): string {
  switch (outcome.outcome) {
    case "applied":
      return `${outcome.change.key} is ${outcome.id}`;
    case "failed":
      return `${outcome.failure.place.file}: ${outcome.failure.message}`;
    case "skipped":
      return outcome.because;
    default:
      return outcome satisfies never;
  }
}

try {
  const { done, outcomes, stopped }: Applied = await applyPlan(plan, { apiKey: sandbox.apiKey });
  const why: string | null = stopped && stopped.code;
  globalThis.console.log(done, outcomes.map(say), why, document.format_version, text, state.links.length);
} catch (cause) {
  if (!(cause instanceof ServiceError)) throw cause;
  const code: ServiceErrorCode = cause.code;
  globalThis.console.log(code satisfies string);
}
