// Which objects a project owns, computed from files and records without the planner, by docs/ownership.md.

import type { State } from "../../src/sandbox/index.ts";
import { globText, written, type Files, identityOf, type Key } from "./owned.ts";
import { matches } from "./globs.ts";

export type Row = State["links"][number] | State["pixels"][number];

/** The key of a row. */
export function keyOfRecord(row: Row): Key {
  if (!("alias" in row)) return { kind: "pixel", domain: null, name: row.name };
  if (row.domain !== 2 && row.domain !== 3) throw new Error(`no link of a test is on the domain ${row.domain}`);
  return { kind: "link", domain: row.domain, name: row.alias };
}

export class Rules {
  readonly #now: Files;
  readonly #base: Files | null;

  constructor(now: Files, base: Files | null) {
    this.#now = now;
    this.#base = base;
  }

  isIn(row: Row): boolean {
    const { scope } = this.#now;
    if (scope === null) return true;
    const { domain, name, kind } = keyOfRecord(row);
    if (kind === "pixel") return scope.pixels === undefined || scope.pixels.some((glob) => matches(glob, name));
    const space = "space" in row && row.space !== null ? ["Marketing", "Sales"][row.space - 1] : null;
    return (
      (scope.domains === undefined || scope.domains.some((one) => one === domain)) &&
      (scope.spaces === undefined || scope.spaces.some((one) => one === space))
    );
  }

  /** Whether a link must keep its key: by its own block or a glob, now or at the base. */
  isProtected(row: Row): boolean {
    const key = keyOfRecord(row);
    return [this.#now, this.#base].some(
      (files) =>
        files !== null &&
        key.kind === "link" &&
        (blockOf(files, key)?.protect === true ||
          files.protect.some((glob) => matches(globText(glob, files), written(key, files)))),
    );
  }

  isDeclared(row: Row): boolean {
    return blockOf(this.#now, keyOfRecord(row)) !== undefined;
  }

  /** Whether a current block takes its record from this key. */
  isRenamed(row: Row): boolean {
    return this.#now.blocks.some(({ from }) => from !== null && identityOf(from) === identityOf(keyOfRecord(row)));
  }

  /** Whether a tombstone names this record, by its key or its id. */
  isTombstoned(row: Row): boolean {
    return this.#now.tombstones.some(
      ({ key, id }) => identityOf(key) === identityOf(keyOfRecord(row)) && (id === null || id === row.id),
    );
  }

  /** Whether a block of the base has this key, as its own or as `renamed_from`. */
  isNamedAtBase(row: Row): boolean {
    const identity = identityOf(keyOfRecord(row));
    return (
      this.#base?.blocks.some(
        ({ key, from }) => identityOf(key) === identity || (from !== null && identityOf(from) === identity),
      ) ?? false
    );
  }

  /** Whether the base declared this key, and no rename of the base makes its record uncertain. */
  isPlainlyAtBase(row: Row): boolean {
    const identity = identityOf(keyOfRecord(row));
    const block = this.#base === null ? undefined : blockOf(this.#base, keyOfRecord(row));
    const isTied = this.#base?.blocks.some(({ from }) => from !== null && identityOf(from) === identity) ?? false;
    return block?.from === null && !isTied;
  }

  /**
   * Whether a record is in a chain with a move to another domain and a new declaration of the first key. If such a move is stopped after
   * the new record was created, all keys have records. These keep their keys and are changed, not created again, so that clicks and
   * undeclared fields stay with the key.
   */
  isReused(row: Row): boolean {
    const { blocks } = this.#now;
    const chain = new Set([identityOf(keyOfRecord(row))]);
    let [isMoved, first] = [false, ""];
    for (const identity of chain) {
      const own = blocks.find(({ key }) => identityOf(key) === identity);
      const successor = blocks.find(({ from }) => from !== null && identityOf(from) === identity);
      if (own?.from === null) first = identity;
      isMoved ||= successor !== undefined && successor.key.domain !== successor.from?.domain;
      for (const other of [own?.from, successor?.key])
        if (other !== undefined && other !== null) chain.add(identityOf(other));
    }
    return isMoved && first !== "";
  }

  /** The current form of a record's key. */
  shown(row: Row): string {
    return written(keyOfRecord(row), this.#now);
  }
}

function blockOf({ blocks }: Files, key: Key): Files["blocks"][number] | undefined {
  return blocks.find((block) => identityOf(block.key) === identityOf(key));
}

/**
 * An account without ids and times, which differ from run to run. Pixels are shown by name. After a partial plan, reused keys are left out,
 * because the change of their former record may have been withheld.
 */
export function portrait({ links, pixels }: State, rules: Rules, isPartial: boolean): string[] {
  const names = new Map(pixels.map(({ id, name }) => [id, name]));
  return [
    ...pixels.map(({ name, type, value }) => `${name} ${type} ${value}`),
    ...links.flatMap((link) => {
      if (isPartial && rules.isReused(link)) return [];
      const { id: _id, created_at: _created, updated_at: _updated, url, ...rest } = link;
      const more = { ...rest, pixels: link.pixels.map((id) => names.get(id) ?? "").toSorted() };
      return JSON.stringify({ key: rules.shown(link), url, ...(rules.isReused(link) ? {} : more) });
    }),
  ].toSorted();
}
