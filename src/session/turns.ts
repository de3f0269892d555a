// The order of the projects of one run: side by side on different addresses, one after the other on one address.

import type { Plan } from "../domain/change.ts";
import { projectConflicts, type ProjectClaims } from "../domain/conflicts.ts";
import { createDeferred } from "../domain/collections.ts";
import type { Diagnostic } from "../domain/diagnostic.ts";
import { Connection, type TransportOptions } from "../service/transport.ts";

/** The place of a project in a run of several projects. */
export interface ProjectTurn {
  /** Waits until the earlier projects on the same address have read it, and returns their connection. */
  readonly connect: (options: TransportOptions) => Promise<Connection>;
  /** Waits until every project is planned, and compares this one with the others on the same address. */
  readonly compare: (mine: SharedPlan) => Promise<{
    readonly conflicts: readonly Diagnostic[];
    readonly others: readonly Plan[];
  }>;
  /** Waits until the earlier projects on the same address are finished. */
  readonly afterEarlier: () => Promise<void>;
}

/** What the projects of one account are checked for together. */
export interface SharedPlan {
  readonly claims: ProjectClaims;
  /** Null if only the files are checked. */
  readonly plan: Plan | null;
}

/**
 * Runs all projects and returns their results in their order. The projects of one address and key share a connection, and so its rate
 * limit.
 */
export async function runInTurns<Project extends { readonly address: string | null }, Result>(
  projects: readonly Project[],
  run: (project: Project, turn: ProjectTurn) => Promise<Result>,
): Promise<Result[]> {
  const connections = new Map<string, Connection>();
  const turns = projects.map((project) => ({
    project,
    planned: createDeferred<SharedPlan | null>(),
    ended: createDeferred<null>(),
  }));
  const results = turns.map(async (own, at) => {
    const isOnSameAddress = ({ project }: typeof own): boolean => project.address === own.project.address;
    const earlier = turns.slice(0, at).filter(isOnSameAddress);
    const turn: ProjectTurn = {
      connect: async (options) => {
        await Promise.all(earlier.map(({ planned }) => planned.promise));
        const key = `${options.baseUrl} ${options.apiKey}`;
        const connection = connections.get(key) ?? new Connection(options);
        connections.set(key, connection);
        return connection;
      },
      compare: async (shared) => {
        own.planned.resolve(shared);
        const plans = await Promise.all(
          turns.map(async (one) => ({ isOther: one !== own && isOnSameAddress(one), plan: await one.planned.promise })),
        );
        const all = plans.flatMap(({ isOther, plan }) => (isOther ? (plan ?? []) : []));
        const claims = all.map((one) => one.claims);
        return { conflicts: projectConflicts(shared.claims, claims), others: all.flatMap(({ plan }) => plan ?? []) };
      },
      afterEarlier: async () => {
        await Promise.all(earlier.map(({ ended }) => ended.promise));
      },
    };
    try {
      return await run(own.project, turn);
    } finally {
      own.planned.resolve(null);
      own.ended.resolve(null);
    }
  });
  try {
    return await Promise.all(results);
  } finally {
    await Promise.allSettled(results);
    await Promise.all([...connections.values()].map((connection) => connection.close()));
  }
}
