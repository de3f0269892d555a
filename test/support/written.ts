// The writes of a run, from the sandbox's log: compared with its plan, and replayed record by record.

import { expect } from "vitest";
import type { LoggedRequest, State } from "../../src/sandbox/index.ts";
import { ownForm } from "./sandbox.ts";
import type { ChangeDocument } from "../../src/report/json/schema.ts";

/** The writes among these requests, without the refused attempts on the documented delete path. */
function writesOf(requests: readonly LoggedRequest[]): LoggedRequest[] {
  return requests.filter(({ method, path }) => method !== "GET" && !path.endsWith("/destroy"));
}

/** Expects exactly the writes of a plan's changes. An update may take several. */
export function expectPromised(changes: readonly ChangeDocument[], requests: readonly LoggedRequest[]): void {
  const made = writesOf(requests).map(({ method, path }) => `${method} ${path}`);
  const path = { link: "/api/v1/links", pixel: "/index.php/api/v1/pixels" };
  const promised = changes.flatMap(({ action, kind, id }) => {
    const row = `${path[kind]}/${id}`;
    if (action === "create") return [`POST ${path[kind]}`];
    if (action === "delete") return [`DELETE ${row}`];
    if (action === "replace") return [`POST ${path[kind]}`, `DELETE ${row}`];
    const calls = made.filter((line) => line === `PUT ${row}`).length;
    return Array.from({ length: Math.max(calls, 1) }, () => `PUT ${row}`);
  });
  expect(made.toSorted()).toEqual(promised.toSorted());
}

/** Expects that records without a change are identical in every column. */
export function expectOthersUntouched(changes: readonly ChangeDocument[], before: State, after: State): void {
  const changed = (kind: string): Set<number | null> =>
    new Set(changes.flatMap((one) => (one.kind === kind ? [one.id] : [])));
  const [links, pixels] = [changed("link"), changed("pixel")];
  for (const row of before.links.filter(({ id }) => !links.has(id))) expect(after.links).toContainEqual(row);
  for (const row of before.pixels.filter(({ id }) => !pixels.has(id))) expect(after.pixels).toContainEqual(row);
}

/**
 * Replays a run's writes on the state before it. Nothing is refused, such as a key that is not free yet, no link gets a missing pixel, and no
 * pixel is deleted while a link uses it.
 */
export function expectLegalOrder(before: State, requests: readonly LoggedRequest[]): void {
  const pixels = new Set(before.pixels.map(({ id }) => id));
  const users = new Map(before.links.map((link) => [link.id, link.pixels]));
  const next = { links: before.next.link, pixels: before.next.pixel };
  for (const { method, path, body, status } of writesOf(requests)) {
    expect(`${method} ${path} ${status}`).toMatch(/ 20[01]$/);
    const [, kind, asked] = /\/(links|pixels)(?:\/(\d+))?$/.exec(path) ?? [];
    if (kind !== "links" && kind !== "pixels") throw new Error(`${path} is no path of a row`);
    const id = asked === undefined ? next[kind]++ : Number(asked);
    const form = ownForm(body);
    if (kind === "pixels" && method === "DELETE") {
      expect([...users.values()].filter((used) => used.includes(id))).toEqual([]);
      pixels.delete(id);
    } else if (kind === "pixels") pixels.add(id);
    else if (method === "DELETE") users.delete(id);
    else if (form.has("pixels[]")) {
      const used = form.getAll("pixels[]").flatMap((pixel) => (pixel === "" ? [] : [Number(pixel)]));
      expect(used.filter((pixel) => !pixels.has(pixel))).toEqual([]);
      users.set(id, used);
    }
  }
}
