// The writes of a run, from the sandbox's log: compared with its plan, and replayed record by record.

import { expect } from "vitest";
import type { LoggedRequest, State } from "../../src/sandbox/index.ts";
import { fold } from "../../src/sandbox/fold.ts";
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
 * Replays a run's writes on the state before it, and expects each to be valid at that point: no key is taken before it is free, no link
 * gets a missing pixel, no pixel is deleted while a link uses it, and nothing is refused.
 */
export function expectLegalOrder(before: State, requests: readonly LoggedRequest[]): void {
  const keys = {
    links: new Map(before.links.map(({ id, domain, alias }) => [id, `${domain}/${fold(alias)}`])),
    pixels: new Map(before.pixels.map(({ id, name }) => [id, fold(name)])),
  };
  const domains = new Map(before.links.map(({ id, domain }) => [id, String(domain)]));
  const users = new Map(before.links.map(({ id, pixels }) => [id, pixels]));
  const next = { links: before.next.link, pixels: before.next.pixel };
  for (const { method, path, body, status } of writesOf(requests)) {
    expect(`${method} ${path} ${status}`).toMatch(/ 20[01]$/);
    const [, kind, asked] = /\/(links|pixels)(?:\/(\d+))?$/.exec(path) ?? [];
    if (kind !== "links" && kind !== "pixels") throw new Error(`${path} is no path of a row`);
    const id = asked === undefined ? next[kind]++ : Number(asked);
    if (method === "DELETE") {
      if (kind === "pixels") expect([...users.values()].filter((used) => used.includes(id))).toEqual([]);
      else users.delete(id);
      keys[kind].delete(id);
      continue;
    }
    const form = ownForm(body);
    if (form.has("domain")) domains.set(id, form.get("domain") ?? "");
    const name = form.get(kind === "links" ? "alias" : "name");
    if (name !== null) {
      const key = kind === "links" ? `${domains.get(id) ?? ""}/${fold(name)}` : fold(name);
      const holders = [...keys[kind]].filter(([other, held]) => other !== id && held === key);
      expect({ key, holders }).toEqual({ key, holders: [] });
      keys[kind].set(id, key);
    }
    if (kind === "links" && form.has("pixels[]")) {
      const used = form.getAll("pixels[]").flatMap((pixel) => (pixel === "" ? [] : [Number(pixel)]));
      expect(used.filter((pixel) => !keys.pixels.has(pixel))).toEqual([]);
      users.set(id, used);
    }
  }
}
