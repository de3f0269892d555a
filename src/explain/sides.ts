// The two sides of an explanation: the link as the files say it, and as a row has it.

import { fold } from "../domain/fold.ts";
import type { LiveRecord } from "../domain/live.ts";
import { showKey, type Declaration, type WrittenKey } from "../domain/project.ts";
import { visits, type Visitor } from "../domain/visit.ts";
import type { Facts } from "../domain/visit-facts.ts";
import type { NoteCode } from "../domain/visit-notes.ts";
import type { Software } from "../domain/software.ts";
import { nameOf } from "../plan/names.ts";
import { liveFacts } from "../plan/visited.ts";
import type { ExplainedSide, FoundLink } from "../view/explanation.ts";
import type { DeclaredLink } from "./declared.ts";
import { keyOfRow } from "./live.ts";
import type { ExplainQuestion } from "./question.ts";

/** The visitor who comes at an instant. */
export function visitorAt({ is, isCrawler, asked: { query } }: ExplainQuestion, at: string): Visitor {
  return { is, isCrawler, at, query };
}

/** How a declaration is looked at. */
export interface SideContext {
  readonly at: string;
  /** Of the service; null where nobody knows it. */
  readonly version: Software | null;
  readonly facts: (declaration: Declaration) => Facts;
}

/** What the files say of the link. */
export function declaredSide(
  said: DeclaredLink,
  question: ExplainQuestion,
  { at, version, facts }: SideContext,
): ExplainedSide {
  const side = (key: WrittenKey, found: FoundLink): ExplainedSide => ({
    from: "files",
    key: showKey(key),
    id: null,
    place: key.place,
    clicks: question.clicks,
    found,
    notes: spelling(key.name, question),
  });
  switch (said.is) {
    case "declared":
      return side(said.declaration, {
        is: "link",
        ...visits(facts(said.declaration), visitorAt(question, at), version),
      });
    case "renamed":
      return { ...side(said.from, { is: "renamed", to: showKey(said.declaration) }), notes: ["missing"] };
    case "deleted":
      return { ...side(said.tombstone, { is: "deleted" }), notes: ["missing"] };
    case "nothing":
      return {
        from: "files",
        key: null,
        id: null,
        place: null,
        clicks: null,
        found: { is: "not declared" },
        notes: [],
      };
    default:
      return said satisfies never;
  }
}

function spelling(alias: string, { asked }: ExplainQuestion): NoteCode[] {
  return alias === asked.alias || fold(alias) !== fold(asked.alias) ? [] : ["folded"];
}

/** What the account has: rows with the key that was asked for. */
export function liveSide(
  rows: readonly LiveRecord[],
  question: ExplainQuestion,
  { at, version }: Omit<SideContext, "facts">,
): ExplainedSide {
  const [row, twin] = rows;
  if (row === undefined)
    return {
      from: "live",
      key: null,
      id: null,
      place: null,
      clicks: null,
      found: { is: "missing" },
      notes: ["missing"],
    };
  const clicks = question.clicks ?? row.clicks;
  return {
    from: "live",
    key: keyOfRow(row),
    id: row.id,
    place: null,
    clicks,
    found: { is: "link", ...visits(liveFacts(row, clicks), visitorAt(question, at), version) },
    notes: [...spelling(nameOf(row), question), ...(twin === undefined ? [] : (["two-rows"] as const))],
  };
}
