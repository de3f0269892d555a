// Allowances that people gave with labels on merged pull requests. The deploy reads them only if a brake stops the plan.

import { info, warning, type Diagnostic } from "../domain/diagnostic.ts";
import { visible } from "../domain/control-characters.ts";
import type { Plan, TrippedBrake } from "../domain/change.ts";
import { UserError } from "../errors.ts";
import type { BrakeAllowances } from "../plan/plan.ts";
import { plural } from "../view/counts.ts";
import type { World } from "./context.ts";
import { commitsSince, deployedCommit, openForge, type ForgeName, type OpenForge } from "./forge.ts";

/** The allowances of labels, and who gave or could not give them. */
export interface LabelAllowances {
  readonly allowances: BrakeAllowances;
  readonly diagnostics: readonly Diagnostic[];
}

/** `linkform: allow 70 updates`. */
const LABEL = /^linkform: allow (\d{1,7}) (deletes|updates|clicks)$/;

interface Given {
  readonly limits: TrippedBrake["limits"];
  readonly count: number;
}

/**
 * Reads the labels of the pull requests that were merged between the base and the deployed commit. Allowances of several pull
 * requests add up, because each was given for its own changes. Only people who may push can give one. Without a base, only the pull
 * request of the deployed commit counts. If the labels cannot be read, a warning says why, and the brake stays as it is.
 */
export async function readLabelAllowances(
  world: World,
  forge: ForgeName,
  { base }: Pick<Plan, "base">,
  folder: string,
): Promise<LabelAllowances> {
  try {
    const { branch, commit } = deployedCommit(world.env, forge);
    const commits = await commitsSince(base?.commit ?? null, commit, folder, world.env);
    const open = openForge(world, forge);
    try {
      return await readFrom(open, commits, branch);
    } finally {
      await open.api.close();
    }
  } catch (cause) {
    if (!(cause instanceof UserError)) throw cause;
    const message = `The labels of the merged pull requests could not be read. ${cause.message}`;
    const allowances = { deletes: null, updates: null, clicks: null };
    return { allowances, diagnostics: [warning("labels-unreadable", message, null, cause.hint)] };
  }
}

async function readFrom({ requests }: OpenForge, commits: readonly string[], branch: string): Promise<LabelAllowances> {
  const seen = new Set<number>();
  const totals = { deletes: 0, updates: 0, clicks: 0 };
  const diagnostics: Diagnostic[] = [];
  for (const commit of commits) {
    for (const { number, labels } of await requests.mergedWith(commit, branch)) {
      const given = labels.flatMap((label) => allowanceOf(label) ?? []);
      if (seen.has(number) || given.length === 0) continue;
      seen.add(number);
      const people = await requests.labeledBy(number);
      const name = `${requests.sign}${number}`;
      for (const [limits, { label, count }] of largest(given)) {
        const person = people.get(label);
        if (person !== undefined && (await requests.mayWrite(person))) {
          totals[limits] += count;
          diagnostics.push(allowedBy(limits, count, person.login, name));
        } else diagnostics.push(ignored(label, person?.login ?? null, name));
      }
    }
  }
  const { deletes, updates, clicks } = totals;
  return { allowances: { deletes: deletes || null, updates: updates || null, clicks: clicks || null }, diagnostics };
}

function allowanceOf(label: string): (Given & { readonly label: string }) | null {
  const [, count, limits] = LABEL.exec(label) ?? [];
  return limits === "deletes" || limits === "updates" || limits === "clicks"
    ? { label, limits, count: Number(count) }
    : null;
}

/** The largest allowance of each kind: of several labels on one pull request, only one counts. */
function largest<Label extends Given>(given: readonly Label[]): Map<Given["limits"], Label> {
  const found = new Map<Given["limits"], Label>();
  for (const one of given) if (one.count > (found.get(one.limits)?.count ?? -1)) found.set(one.limits, one);
  return found;
}

const NOUNS: Readonly<Record<Given["limits"], string>> = { deletes: "delete", updates: "update", clicks: "lost click" };

function allowedBy(limits: Given["limits"], count: number, login: string, request: string): Diagnostic {
  const message = `Up to ${plural(count, NOUNS[limits])} allowed by \`@${visible(login)}\` with a label on \`${request}\`.`;
  return info("label-allowance", message, null);
}

function ignored(label: string, login: string | null, request: string): Diagnostic {
  const who = login === null ? "linkform cannot find out who added it" : `\`@${visible(login)}\` may not push`;
  const message = `The label \`${visible(label)}\` on \`${request}\` has no effect: ${who}.`;
  return warning("label-ignored", message, null, "Ask somebody with write access to add the label.");
}
