// What becomes of a value, said in a way that may fit many values: "the host old.example.com becomes new.example.com".

import { fieldAt, type ResourceKind } from "../domain/table.ts";
import { isAddress } from "./text-diff.ts";
import { isList, type Word, type WordChange } from "./values.ts";

/** Each says all that becomes of a value; those that say more about it stand first. */
export type Edit = { readonly path: string } & (
  | { readonly form: "value"; readonly before: Word; readonly after: Word }
  /** Of an address, or of each in a list or target group that has this host. A port belongs to it. */
  | { readonly form: "host" | "scheme"; readonly before: string; readonly after: string }
  /** The only query parameter of this name. */
  | { readonly form: "parameter"; readonly name: string; readonly before: string; readonly after: string }
  /** `a=1&b=2`: put behind the query, or made one. */
  | { readonly form: "appended"; readonly query: string }
  /** `a=1`: the only query parameter of its name. */
  | { readonly form: "removed"; readonly pair: string }
  /** What comes and goes, of a list whose order says nothing. */
  | { readonly form: "items"; readonly added: readonly string[]; readonly removed: readonly string[] }
  /** The beginning of an address, up to the end of a part of its path. */
  | { readonly form: "start"; readonly before: string; readonly after: string }
  /** Whatever it was. */
  | { readonly form: "becomes"; readonly after: Word }
);

/** From the one that says most on. */
export const FORMS = [
  "value",
  "host",
  "scheme",
  "parameter",
  "appended",
  "removed",
  "items",
  "start",
  "becomes",
] as const;

/** Every way to say what becomes of this value; each is true of it. */
export function editsOf(kind: ResourceKind, word: WordChange): Edit[] {
  const { path, before, after } = word;
  const isSet = fieldAt(kind, path)?.kind === "references";
  const found: Edit[] = [{ path, form: "value", before, after }];
  if (typeof before === "string" && typeof after === "string") {
    if (isAddress(before) && isAddress(after)) found.push(...ofAddresses(path, before, after));
  } else if (isSet && isList(before) && isList(after)) {
    const added = after.filter((item) => !before.includes(item));
    found.push({ path, form: "items", added, removed: before.filter((item) => !after.includes(item)) });
  } else {
    found.push(...ofMany(path, textsOf(before), textsOf(after)));
  }
  found.push({ path, form: "becomes", after });
  return found.filter((edit) => isSame(edited(edit, before), after, isSet));
}

/** The value that an edit makes of another one; null where it says nothing of such a value. */
export function edited(edit: Edit, before: Word): Word {
  switch (edit.form) {
    case "value":
      return isSame(before, edit.before, false) ? edit.after : null;
    case "becomes":
      return edit.after;
    case "items":
      return isList(before) ? [...before.filter((item) => !edit.removed.includes(item)), ...edit.added] : null;
    case "host":
    case "scheme":
    case "parameter":
    case "appended":
    case "removed":
    case "start":
      return editedTexts(edit, before);
    default:
      return edit satisfies never;
  }
}

function editedTexts(edit: TextEdit, before: Word): Word {
  if (typeof before === "string") return editedText(edit, before);
  if (isList(before)) return before.map((text) => editedText(edit, text) ?? text);
  if (before === null || typeof before !== "object") return null;
  return Object.fromEntries(
    Object.entries(before).map(([key, text]) => [key, text === true ? text : (editedText(edit, text) ?? text)]),
  );
}

type TextEdit = Exclude<Edit, { readonly form: "value" | "becomes" | "items" }>;

function editedText(edit: TextEdit, text: string): string | null {
  const { scheme, host, page, query, fragment } = partsOf(text);
  const again = (pairs: readonly string[]): string =>
    `${page}${pairs.length === 0 ? "" : `?${pairs.join("&")}`}${fragment}`;
  switch (edit.form) {
    case "host":
    case "scheme": {
      if ((edit.form === "host" ? host : scheme) !== edit.before) return null;
      const rest = text.slice(text.indexOf(host, scheme.length) + host.length);
      const user = text.slice(scheme.length, text.length - rest.length - host.length);
      return edit.form === "host" ? `${scheme}${user}${edit.after}${rest}` : `${edit.after}${user}${host}${rest}`;
    }
    case "start":
      return text.startsWith(edit.before) && /^([/?#]|$)/.test(text.slice(edit.before.length))
        ? `${edit.after}${text.slice(edit.before.length)}`
        : null;
    case "appended":
      return again([...query, edit.query]);
    case "parameter":
      return again(query.map((pair) => (nameOf(pair) === edit.name ? `${edit.name}=${edit.after}` : pair)));
    case "removed":
      return again(query.filter((pair) => pair !== edit.pair));
    default:
      return edit satisfies never;
  }
}

interface AddressPieces {
  /** With `://`. */
  readonly scheme: string;
  readonly host: string;
  /** All before the query. */
  readonly page: string;
  readonly query: readonly string[];
  /** With its sign. */
  readonly fragment: string;
}

function partsOf(text: string): AddressPieces {
  const [, page = text, asked = "", fragment = ""] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(text) ?? [];
  const [, scheme = "", authority = ""] = /^([a-z][a-z0-9+.-]*:\/\/)([^/]*)/i.exec(page) ?? [];
  const query = asked.length < 2 ? [] : asked.slice(1).split("&");
  return { scheme, host: authority.slice(authority.lastIndexOf("@") + 1), page, query, fragment };
}

/** The host of an address, with its port; null of what is none. */
export function hostOf(text: string): string | null {
  return isAddress(text) ? partsOf(text).host : null;
}

function nameOf(pair: string): string {
  return pair.split("=", 1)[0] ?? "";
}

function ofAddresses(path: string, before: string, after: string): Edit[] {
  const [old, next] = [partsOf(before), partsOf(after)];
  const found: Edit[] = [];
  if (old.host !== next.host) found.push({ path, form: "host", before: old.host, after: next.host });
  else if (old.scheme !== next.scheme) found.push({ path, form: "scheme", before: old.scheme, after: next.scheme });
  if (old.page === next.page && old.fragment === next.fragment) found.push(...ofQueries(path, old.query, next.query));
  if (old.page !== next.page) found.push(...ofStarts(path, before, after));
  return found;
}

function ofQueries(path: string, old: readonly string[], next: readonly string[]): Edit[] {
  const found: Edit[] = [];
  if (next.length > old.length) found.push({ path, form: "appended", query: next.slice(old.length).join("&") });
  if (next.length === old.length) {
    const changed = old.findIndex((pair, at) => pair !== next[at]);
    const [was = "", is = ""] = [old[changed], next[changed]];
    const name = nameOf(was);
    if (nameOf(is) === name && was.includes("=") && is.includes("=") && isAlone(name, old))
      found.push({ path, form: "parameter", name, before: valueOf(was), after: valueOf(is) });
  }
  if (next.length === old.length - 1) {
    const gone = old.find((pair, at) => pair !== next[at]);
    if (gone !== undefined && isAlone(nameOf(gone), old)) found.push({ path, form: "removed", pair: gone });
  }
  return found;
}

function valueOf(pair: string): string {
  return pair.slice(pair.indexOf("=") + 1);
}

function isAlone(name: string, query: readonly string[]): boolean {
  return query.filter((pair) => nameOf(pair) === name).length === 1;
}

/** The shortest beginnings that differ, before whole parts of a path that both have. */
function ofStarts(path: string, before: string, after: string): Edit[] {
  let same = 0;
  const most = Math.min(before.length, after.length);
  while (same < most && before.at(-1 - same) === after.at(-1 - same)) same += 1;
  const tail = before.slice(before.length - same);
  const cut = tail.search(/[/?#]/);
  const rest = cut < 0 ? "" : tail.slice(cut);
  const [old, next] = [before, after].map((text) => text.slice(0, text.length - rest.length));
  // What has not even a host of its own is no beginning.
  if (old === undefined || next === undefined || ![old, next].every((text) => /^[^/]*:\/\/[^/]/.test(text))) return [];
  return [{ path, form: "start", before: old, after: next }];
}

/** Lists and target groups of which nothing changes but one host. */
function ofMany(path: string, before: readonly string[], after: readonly string[]): Edit[] {
  if (before.length !== after.length) return [];
  const at = before.findIndex((text, index) => text !== after[index]);
  const [old, next] = [hostOf(before[at] ?? ""), hostOf(after[at] ?? "")];
  return old === null || next === null || old === next ? [] : [{ path, form: "host", before: old, after: next }];
}

function textsOf(word: Word): string[] {
  if (word === null || typeof word !== "object") return [];
  return Object.values(word).filter((text) => typeof text === "string");
}

function isSame(a: Word, b: Word, isSet: boolean): boolean {
  if (isSet && isList(a) && isList(b)) return JSON.stringify(a.toSorted()) === JSON.stringify(b.toSorted());
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
