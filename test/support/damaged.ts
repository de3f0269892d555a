// The sandbox with rows that a service of another version, or a broken one, might return.

import type { Sandbox } from "../../src/sandbox/index.ts";
import { startProxy } from "./proxy.ts";

/** The returned values of a record; an undefined field is missing. */
export interface Damage {
  readonly kind: "link" | "pixel";
  readonly id: number;
  readonly fields: Readonly<Record<string, unknown>>;
}

/**
 * Starts a proxy in front of the sandbox that damages these rows in lists and shows, or in shows only. `damage` may change while it
 * runs. Returns its address.
 */
export async function startDamaged(
  sandbox: Sandbox,
  damage: readonly Damage[],
  where: "everywhere" | "shows" = "everywhere",
): Promise<string> {
  return startProxy(
    sandbox.url,
    () => "forward",
    (body, url) => {
      const [, kind] = /\/api\/v1\/(link|pixel)s(?=[/?]|$)/.exec(url) ?? [];
      if (kind === undefined || !body.startsWith("{")) return body;
      const byRecord = new Map(damage.map((one) => [`${one.kind} ${one.id}`, one.fields]));
      const answer: { data?: unknown } = JSON.parse(body);
      const damaged = (row: unknown): unknown =>
        typeof row === "object" && row !== null && "id" in row
          ? { ...row, ...byRecord.get(`${kind} ${String(row.id)}`) }
          : row;
      const data = Array.isArray(answer.data)
        ? where === "shows"
          ? answer.data
          : answer.data.map(damaged)
        : damaged(answer.data);
      return JSON.stringify({ ...answer, data });
    },
  );
}
