// What `linkform init` asks the service: whether it is one, takes the key, and which domains and spaces there are.

import { checkBaseUrl } from "../config/load.ts";
import type { Diagnostic } from "../domain/diagnostic.ts";
import type { LiveRecord, Named } from "../domain/live.ts";
import { REFERENCE_FIELD } from "../domain/table.ts";
import { ServiceError, UserError, type ServiceErrorCode } from "../errors.ts";
import { connectReader, type Reader } from "../service/service.ts";
import type { ServiceFlags } from "../session/connect.ts";
import type { Console } from "../session/console.ts";
import type { World } from "../session/context.ts";
import { openSession, sessionOptions } from "../session/session.ts";

/** A domain or space that the service names. */
export interface FoundAccount extends Named {
  /** Whether its own list has it. One that all accounts share is only named by links. */
  readonly isListed: boolean;
}

/** What there is in the account. */
export interface Account {
  readonly domains: readonly FoundAccount[];
  readonly spaces: readonly FoundAccount[];
  /** How many links; null where the service does not say. */
  readonly links: number | null;
}

/** Asks the service in a handful of requests. Throws a user or service error where it does not answer as one. */
export async function readNames(world: World, flags: ServiceFlags, out: Console, baseUrl: string): Promise<Account> {
  try {
    return await openSession(sessionOptions(world, flags, out), async ({ connect }) =>
      readAccountOf(connectReader(await connect(baseUrl, null))),
    );
  } catch (cause) {
    throw cause instanceof ServiceError && NO_SERVICE.has(cause.code) ? notTheService(cause, baseUrl) : cause;
  }
}

async function readAccountOf(reader: Reader): Promise<Account> {
  const first = await reader.open("link");
  const [domains, spaces] = [await reader.names("domains"), await reader.names("spaces")];
  return {
    domains: merged(domains, first.rows, REFERENCE_FIELD.domain),
    spaces: merged(spaces, first.rows, REFERENCE_FIELD.space),
    links: first.total ?? (first.pages === 1 ? first.rows.length : null),
  };
}

/** What the service lists, then what links name besides. One without a name can't be named in files. */
function merged(listed: readonly Named[] | null, links: readonly LiveRecord[], path: string): FoundAccount[] {
  const named = links.flatMap(({ references }) => references.get(path)?.[0] ?? []);
  const byId = new Map<number, FoundAccount>();
  for (const row of named) byId.set(row.id, { ...row, isListed: false });
  for (const row of listed ?? []) byId.set(row.id, { ...row, isListed: true });
  return [...byId.values()].filter(({ name }) => name.trim() !== "").toSorted((a, b) => a.id - b.id);
}

/** Whatever answers there, it is not the interface. */
const NO_SERVICE: ReadonlySet<ServiceErrorCode> = new Set([
  "not-json",
  "not-found",
  "redirect",
  "shape",
  "method-refused",
]);

function notTheService(cause: ServiceError, baseUrl: string): UserError {
  const { origin, pathname } = new URL(baseUrl);
  const hint =
    cause.code === "redirect" && cause.hint !== null
      ? cause.hint
      : pathname === "/"
        ? "Give the address where people log in to the service: not the domain of the short links, and not a page of its documentation."
        : `Is the path right? It may be just ${origin}.`;
  return new UserError(cause.code, `Nothing at ${baseUrl} answers as the service does: ${cause.message}`, {
    hint,
    cause,
  });
}

/** An address without the slash at its end, and what there is to say of it; a text that is none has a problem instead. */
export function readAddress(
  text: string,
): { readonly baseUrl: string; readonly diagnostics: readonly Diagnostic[] } | { readonly problem: Problem } {
  const { baseUrl, diagnostics } = checkBaseUrl(text, null);
  const [first] = diagnostics;
  if (baseUrl === null) {
    const full = `https://${text}`;
    const isHost = /^[\w-]+(\.[\w-]+)+(:\d+)?(\/|$)/.test(text) && checkBaseUrl(full, null).baseUrl !== null;
    const hint = isHost ? `Did you mean ${full}?` : (first?.hint ?? "Write it as https://short.example.com.");
    return { problem: { message: first?.message ?? "This is no address.", hint } };
  }
  // The paths of the interface are put behind it.
  const [, before, api] = /^(.*?)(\/(?:index\.php|api)(?:\/.*)?)$/.exec(baseUrl.slice(baseUrl.indexOf("//") + 2)) ?? [];
  if (before === undefined) return { baseUrl, diagnostics };
  const message = `The service's address ends before ${api}: linkform adds that itself.`;
  return { problem: { message, hint: `Write it as ${baseUrl.slice(0, baseUrl.indexOf("//") + 2)}${before}.` } };
}

/** What is wrong with an answer, and what to do. */
export interface Problem {
  readonly message: string;
  readonly hint: string;
}
