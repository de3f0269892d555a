// What becomes of a value, said in a way that may fit many values: "the host old.example.com becomes new.example.com".

import { fieldAt, type ResourceKind } from "../domain/table.ts";
import { isAddress } from "./text-diff.ts";
import { isList, type Word, type WordChange } from "./values.ts";

/** A complete description of what becomes of a value. */
export type Edit = { readonly path: string } & (Detail | WholeEdit);

type WholeEdit =
  | { readonly form: "value"; readonly before: Word; readonly after: Word }
  /** Whatever it was. */
  | { readonly form: "becomes"; readonly after: Word };

type Detail =
  /** Of an address, or of each in a list or target group that has this host. A port belongs to it. */
  | { readonly form: "host" | "scheme"; readonly before: string; readonly after: string }
  /** The only query parameter of this name. */
  | { readonly form: "parameter"; readonly name: string; readonly before: string; readonly after: string }
  /** `a=1&b=2`: added to the query. */
  | { readonly form: "appended"; readonly query: string }
  /** `a=1`: the only query parameter of its name. */
  | { readonly form: "removed"; readonly pair: string }
  /** What comes and goes, of a list whose order has no meaning. */
  | { readonly form: "items"; readonly added: readonly string[]; readonly removed: readonly string[] }
  /** The beginning of an address, up to the end of a part of its path. */
  | { readonly form: "start"; readonly before: string; readonly after: string };

/** The descriptions of a change, the most exact first. */
export function editsOf(kind: ResourceKind, { path, before, after }: WordChange): Edit[] {
  const isSet = fieldAt(kind, path)?.kind === "references";
  const detail = isSet && isList(before) && isList(after) ? itemsEdit(before, after) : textEdit(before, after);
  return [
    { path, form: "value", before, after },
    ...(detail === null ? [] : [{ path, ...detail }]),
    { path, form: "becomes", after },
  ];
}

function itemsEdit(before: readonly string[], after: readonly string[]): Detail {
  const added = after.filter((item) => !before.includes(item));
  return { form: "items", added, removed: before.filter((item) => !after.includes(item)) };
}

function textEdit(before: Word, after: Word): Detail | null {
  if (typeof before === "string" && typeof after === "string")
    return isAddress(before) && isAddress(after) ? addressEdit(before, after) : null;
  return hostEdit(before, after);
}

interface AddressPieces {
  /** With `://`. */
  readonly scheme: string;
  /** With `@`. */
  readonly user: string;
  readonly host: string;
  /** Everything after the host. */
  readonly rest: string;
  /** Everything before the query. */
  readonly page: string;
  readonly query: readonly string[];
  /** With `#`. */
  readonly fragment: string;
}

function piecesOf(text: string): AddressPieces {
  const [, page = text, query = "", fragment = ""] = /^([^?#]*(?:\?(?=#|$))?)(\?[^#]*)?(#.*)?$/s.exec(text) ?? [];
  const [, scheme = "", authority = ""] = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*)/i.exec(page) ?? [];
  const user = authority.slice(0, authority.lastIndexOf("@") + 1);
  const host = authority.slice(user.length);
  const rest = text.slice(scheme.length + authority.length);
  return { scheme, user, host, rest, page, query: query === "" ? [] : query.slice(1).split("&"), fragment };
}

/** The host of an address, with its port; null of what is none. */
export function hostOf(text: string): string | null {
  return isAddress(text) ? piecesOf(text).host : null;
}

function addressEdit(before: string, after: string): Detail | null {
  const [old, next] = [piecesOf(before), piecesOf(after)];
  if (old.user === next.user && old.rest === next.rest) {
    if (old.scheme === next.scheme) return { form: "host", before: old.host, after: next.host };
    if (old.host === next.host) return { form: "scheme", before: old.scheme, after: next.scheme };
  }
  return old.page === next.page && old.fragment === next.fragment
    ? queryEdit(old.query, next.query)
    : startEdit(before, after);
}

function queryEdit(old: readonly string[], next: readonly string[]): Detail | null {
  const same = old.findIndex((pair, at) => pair !== next[at]);
  if (same < 0) return { form: "appended", query: next.slice(old.length).join("&") };
  const [was = "", is = ""] = [old[same], next[same]];
  const name = nameOf(was);
  if (old.filter((pair) => nameOf(pair) === name).length > 1) return null;
  const isRest = (skipped: number): boolean =>
    old.slice(same + 1).join("&") === next.slice(same + skipped).join("&") && old.length - 1 === next.length - skipped;
  if (isRest(0)) return { form: "removed", pair: was };
  return isRest(1) && nameOf(is) === name && was.includes("=") && is.includes("=")
    ? { form: "parameter", name, before: valueOf(was), after: valueOf(is) }
    : null;
}

function nameOf(pair: string): string {
  return pair.split("=", 1)[0] ?? "";
}

function valueOf(pair: string): string {
  return pair.slice(pair.indexOf("=") + 1);
}

/** The shortest beginnings that differ, before whole parts of a path that both have. */
function startEdit(before: string, after: string): Detail | null {
  let same = 0;
  const most = Math.min(before.length, after.length);
  while (same < most && before.at(-1 - same) === after.at(-1 - same)) same += 1;
  const tail = before.slice(before.length - same);
  const cut = tail.search(/[/?#]/);
  const rest = cut < 0 ? 0 : tail.length - cut;
  const [old, next] = [before.slice(0, before.length - rest), after.slice(0, after.length - rest)];
  // What has not even a host of its own is no beginning.
  const isStart = [old, next].every((text) => /^[^/]*:\/\/[^/]/.test(text));
  return isStart ? { form: "start", before: old, after: next } : null;
}

/** Lists and target groups of which nothing changes but one host. */
function hostEdit(before: Word, after: Word): Detail | null {
  const [old, next] = [entriesOf(before), entriesOf(after)];
  const found = old.find(([, text], at) => text !== next[at]?.[1])?.[1];
  if (found === undefined || old.length !== next.length) return null;
  const at = old.findIndex(([, text]) => text === found);
  const edit = { form: "host" as const, before: hostOf(found) ?? "", after: hostOf(next[at]?.[1] ?? "") ?? "" };
  const isEdited = old.every(([key, text], index) => {
    const [otherKey, other = ""] = next[index] ?? [];
    if (key !== otherKey) return false;
    if (hostOf(text) !== edit.before) return text === other;
    const { scheme, user, rest } = piecesOf(text);
    return other === `${scheme}${user}${edit.after}${rest}`;
  });
  return isEdited && edit.before !== "" && edit.after !== "" ? edit : null;
}

function entriesOf(word: Word): [key: string, text: string][] {
  if (word === null || typeof word !== "object") return [];
  return Object.entries(word).flatMap(([key, text]) => (typeof text === "string" ? [[key, text]] : []));
}
