// The state of the fake GitHub and GitLab, and what both interfaces share.

import type { IncomingHttpHeaders } from "node:http";

/** The user of the token, on both. */
export const ME = "github-actions[bot]";
export const TOKEN = "forge-token-0123456789";
export const REPOSITORY = "acme/links";
export const PROJECT_ID = "7";

export interface ForgeComment {
  readonly id: number;
  /** The number of the pull or merge request, or of the issue. */
  readonly on: number;
  readonly author: string;
  body: string;
}

export interface ForgeIssue {
  readonly number: number;
  readonly author: string;
  title: string;
  body: string;
  state: "open" | "closed";
  /** The branches of a pull or merge request that was opened through the API. */
  readonly head?: string;
  readonly base?: string;
}

/** A pull or merge request: where it was merged, and with which commits. */
export interface ForgePull {
  readonly number: number;
  /** The branch that it was merged into; null if it is open. */
  readonly mergedInto: string | null;
  readonly commits: readonly string[];
}

export interface ForgeRequest {
  readonly method: string;
  /** Including its query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The JSON of the request; null for none. */
  readonly body: Readonly<Record<string, unknown>> | null;
}

export interface Reply {
  readonly status: number;
  readonly json: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ForgeState {
  /** The address, without a slash at its end. */
  readonly url: string;
  readonly comments: ForgeComment[];
  readonly issues: ForgeIssue[];
  /** Pull or merge requests that were opened through the API. */
  readonly opened: ForgeIssue[];
  readonly pulls: readonly number[];
  readonly requests: readonly ForgePull[];
  readonly pageSize: number;
  readonly rights: "write" | "read";
  /** Quick actions that GitLab would have executed. */
  readonly obeyed: string[];
  nextId: number;
}

/** A user's number, the same for the same name. */
export function userId(name: string): number {
  return [...name].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003, 7);
}

/** One page of rows, and the Link header for the next one. */
export function pageOf<Row>(
  { url, pageSize }: ForgeState,
  { path }: ForgeRequest,
  rows: readonly Row[],
): { readonly rows: readonly Row[]; readonly headers: Readonly<Record<string, string>> } {
  const at = new URL(path, url);
  const size = Math.min(Number(at.searchParams.get("per_page") ?? "20"), pageSize);
  const page = Number(at.searchParams.get("page") ?? "1");
  const last = Math.max(1, Math.ceil(rows.length / size));
  const link = (to: number, rel: string): string => {
    at.searchParams.set("page", String(to));
    return `<${at.href}>; rel="${rel}"`;
  };
  const links = page < last ? [link(page + 1, "next"), link(last, "last")] : [link(1, "first")];
  return { rows: rows.slice((page - 1) * size, page * size), headers: { link: links.join(", ") } };
}

/** A text in the JSON of a request; null for none. */
export function textIn({ body }: ForgeRequest, name: string): string | null {
  const value = body?.[name];
  return typeof value === "string" ? value : null;
}

/** Changes what a request names: the title, the body, and whether it is open, under the names of a forge. */
export function change(one: ForgeIssue, request: ForgeRequest, body: string, closing: readonly [string, string]): void {
  one.title = textIn(request, "title") ?? one.title;
  one.body = textIn(request, body) ?? one.body;
  if (textIn(request, closing[0]) === closing[1]) one.state = "closed";
}
