// The order of the projects of one run: side by side on different addresses, one after the other on one address.

import type { Plan } from "../domain/change.ts";
import type { ProjectClaims } from "../domain/conflicts.ts";
import { createDeferred } from "../domain/deferred.ts";
import { Connection, type TransportOptions } from "../service/transport.ts";

/** The place of a project in a run of several projects. */
export interface ProjectTurn {
  /** Waits until the earlier projects on the same address have read it, and returns their connection. */
  readonly connect: (options: TransportOptions) => Promise<Connection>;
  /** Waits until every project is planned, and returns what the others on the same address shared. */
  readonly share: (baseUrl: string, mine: SharedPlan) => Promise<SharedPlan[]>;
  /** Waits until the earlier projects on the same address are finished. */
  readonly beforeWrite: () => Promise<void>;
}

/** What the projects of one account are checked for together. */
export interface SharedPlan {
  readonly claims: ProjectClaims;
  /** Null if only the files are checked. */
  readonly plan: Plan | null;
}

interface Turn {
  /** The address, or null if the project ended without a connection. */
  readonly address: Promise<string | null>;
  readonly planned: Promise<unknown>;
  readonly ended: Promise<unknown>;
  /** Null if the project ended without a plan. */
  shared: SharedPlan | null;
}

/**
 * Runs all projects and returns their results in their order. The projects of one address and key share a connection, and so its rate
 * limit.
 */
export async function runInTurns<Project, Result>(
  projects: readonly Project[],
  run: (project: Project, turn: ProjectTurn) => Promise<Result>,
): Promise<Result[]> {
  const connections = new Map<string, Connection>();
  const turns: Turn[] = [];
  const results: Promise<Result>[] = [];
  const start = async (project: Project, at: number): Promise<Result> => {
    const [address, planned, ended] = [createDeferred<string | null>(), createDeferred<null>(), createDeferred<null>()];
    const own: Turn = { address: address.promise, planned: planned.promise, ended: ended.promise, shared: null };
    turns[at] = own;
    // The other projects have to be started first.
    await Promise.resolve();
    let mine: string | null = null;
    const onSameAddress = async (among: readonly Turn[]): Promise<Turn[]> => {
      const all = await Promise.all(among.map(async (turn) => ({ turn, address: await turn.address })));
      return all.flatMap((one) => (one.address === mine ? [one.turn] : []));
    };
    const earlier = (): Promise<Turn[]> => onSameAddress(turns.slice(0, at));
    const turn: ProjectTurn = {
      connect: async (options) => {
        mine = options.baseUrl;
        address.resolve(mine);
        await Promise.all((await earlier()).map((one) => one.planned));
        const key = `${options.baseUrl} ${options.apiKey}`;
        const connection = connections.get(key) ?? new Connection(options);
        connections.set(key, connection);
        return connection;
      },
      share: async (baseUrl, shared) => {
        mine = baseUrl;
        address.resolve(mine);
        own.shared = shared;
        planned.resolve(null);
        await Promise.all(turns.map((one) => one.planned));
        const others = await onSameAddress(turns.filter((one) => one !== own));
        return others.flatMap((one) => one.shared ?? []);
      },
      beforeWrite: async () => {
        await Promise.all((await earlier()).map((one) => one.ended));
      },
    };
    try {
      return await run(project, turn);
    } finally {
      address.resolve(null);
      planned.resolve(null);
      ended.resolve(null);
    }
  };
  for (const [at, project] of projects.entries()) results.push(start(project, at));
  try {
    return await Promise.all(results);
  } finally {
    await Promise.allSettled(results);
    await Promise.all([...connections.values()].map((connection) => connection.close()));
  }
}
