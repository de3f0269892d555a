// The flags of `linkform init`. Asks for the address and the API key of the service until both work, and reads its domains and spaces.

import type { Diagnostic } from "../domain/diagnostic.ts";
import { EXIT, ServiceError, usageError, UserError } from "../errors.ts";
import type { Console } from "../session/console.ts";
import type { ServiceFlags } from "../session/connect.ts";
import type { CommonFlags, World } from "../session/context.ts";
import type { FoundName } from "./new-project.ts";
import type { Questions } from "../session/questions.ts";
import { checkBaseUrl } from "../config/load.ts";
import type { LiveRecord, Named } from "../domain/live.ts";
import { REFERENCE_FIELD } from "../domain/table.ts";
import { connectTo } from "../session/session.ts";

export interface InitFlags extends CommonFlags, ServiceFlags {
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly offline?: boolean;
  /** Each is `NAME` or `NAME=ID`. */
  readonly domain?: readonly string[];
  readonly space?: readonly string[];
  readonly ci?: "github" | "gitlab" | "none";
  readonly ciSource?: string;
  readonly ciImage?: string;
  readonly pull?: boolean;
}

export interface InitContext {
  readonly world: World;
  readonly flags: InitFlags;
  readonly out: Console<InitFlags>;
  /** Null without a terminal, or with `--yes`. */
  readonly ask: Questions | null;
}

export interface Reached {
  readonly baseUrl: string;
  /** Null with `--offline`, or without a key. */
  readonly account: Account | null;
  /** Null if the service is not asked. */
  readonly keyed: KeyedWorld | null;
  /** Other commands do not have a key that was typed in. */
  readonly isKeyTyped: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** With the key. */
type KeyedWorld = Pick<InitContext, "world" | "flags">;

/** Throws a user or service error if an answer is missing or wrong and there is no terminal to ask again. */
export async function reachService(context: InitContext): Promise<Reached> {
  const { world, flags, ask } = context;
  const pinned = world.env["LINKFORM_BASE_URL"] ?? "";
  const named = flags.baseUrl === undefined ? "LINKFORM_BASE_URL: " : "--base-url: ";
  let given = flags.baseUrl ?? (ask === null && pinned !== "" ? pinned : null);
  for (let initial = pinned; ;) {
    const text = given ?? (await askAddress(initial, ask));
    const address = readAddress(text, given === null ? "" : named);
    if (address instanceof UserError) throw address;
    const { baseUrl } = address;
    [given, initial] = [null, baseUrl];
    if (flags.offline === true) return { ...address, ...UNASKED };
    try {
      return { ...address, ...(await tryKeys(context, baseUrl)) };
    } catch (cause) {
      // Another address may help. A timeout ends the run.
      const mayHelp = cause instanceof ServiceError || (cause instanceof UserError && cause.exit === EXIT.error);
      if (ask === null || !mayHelp) throw cause;
      ask.warn(cause.message, cause.hint);
    }
  }
}

/** Of a service that is not asked. */
export const UNASKED = { account: null, keyed: null, isKeyTyped: false } as const;

type ServiceAddress = Pick<Reached, "baseUrl" | "diagnostics">;

async function askAddress(initial: string, ask: Questions | null): Promise<string> {
  if (ask === null) {
    const hint = "Pass the address where people log in to the service, or set LINKFORM_BASE_URL.";
    throw usageError("no-address", "`--base-url` is missing: the service address is unknown.", { hint });
  }
  const question = "What is the address where people log in to your service?";
  return ask.text(question, { initial, example: "https://short.example.com" }, (answer) => {
    const read = readAddress(answer);
    return read instanceof UserError ? `${read.message} ${read.hint}` : null;
  });
}

/** Tries the given key, then typed keys, until the service accepts one. */
async function tryKeys(
  { world, flags, out, ask }: InitContext,
  baseUrl: string,
): Promise<Omit<Reached, keyof ServiceAddress>> {
  const isSet = flags.apiKeyFile !== undefined || (world.env["LINKFORM_API_KEY"] ?? "").trim() !== "";
  if (!isSet && ask === null) {
    const hint = "Set LINKFORM_API_KEY, pass --api-key-file, or pass --offline to continue without the service.";
    throw usageError("no-key", "`--api-key-file` is missing: the API key is not set.", { hint });
  }
  let keyed: KeyedWorld | null = isSet ? { world, flags } : null;
  for (let isKeyTyped = false; ; isKeyTyped = true) {
    try {
      if (keyed !== null) return { account: await readNames(keyed, out, baseUrl), keyed, isKeyTyped };
    } catch (cause) {
      const isAnswer = cause instanceof ServiceError || cause instanceof UserError;
      if (ask === null || !isAnswer || !KEY_PROBLEMS.has(cause.code)) throw cause;
      const check = "Check that the API key is complete and belongs to this service.";
      ask.warn(cause.message, isKeyTyped ? check : "Type another API key for this run.");
    }
    const key = (await ask?.secret("Your API key (hidden; leave empty to continue without the service)")) ?? "";
    if (key === "") return UNASKED;
    const { apiKeyFile: _, ...others } = flags;
    keyed = { world: { ...world, env: { ...world.env, LINKFORM_API_KEY: key } }, flags: others };
  }
}

/** Errors for which another key may help. */
const KEY_PROBLEMS: ReadonlySet<string> = new Set(["unauthenticated", "forbidden", "no-key", "wrong-key"]);

export interface Account {
  readonly domains: readonly FoundName[];
  readonly spaces: readonly FoundName[];
  readonly links: number;
}

/** Throws a user or service error if the answers are not those of the service. */
async function readNames(keyed: KeyedWorld, out: Console<InitFlags>, baseUrl: string): Promise<Account> {
  try {
    const { reader } = await connectTo(out, baseUrl, null, keyed);
    const { records, total } = await reader.open("link");
    const [domains, spaces] = [await reader.names("domains"), await reader.names("spaces")];
    return {
      domains: merged(domains, records, REFERENCE_FIELD.domain),
      spaces: merged(spaces, records, REFERENCE_FIELD.space),
      links: total,
    };
  } catch (cause) {
    throw cause instanceof ServiceError && NO_SERVICE.has(cause.code) ? notTheService(cause, baseUrl) : cause;
  } finally {
    await out.close();
  }
}

/** Listed domains or spaces, and those that only links name. Files cannot refer to one without a name. */
function merged(listed: readonly Named[] | null, links: readonly LiveRecord[], path: string): FoundName[] {
  const named = links.flatMap(({ references }) => references.get(path)?.[0] ?? []);
  const all = [
    ...named.map((row) => ({ ...row, isListed: false })),
    ...(listed ?? []).map((row) => ({ ...row, isListed: true })),
  ];
  const byId = new Map(all.map((row) => [row.id, row]));
  return [...byId.values()].filter(({ name }) => name.trim() !== "").toSorted((a, b) => a.id - b.id);
}

/** Errors that show that the address is not the service's. */
const NO_SERVICE: ReadonlySet<string> = new Set(["not-json", "not-found", "redirect", "shape", "method-refused"]);

function notTheService(cause: ServiceError, baseUrl: string): UserError {
  const hint =
    "Use the address where people log in to the service, without a path such as /login. It is not the domain of the short links.";
  const message = `${baseUrl} does not respond like the service: ${cause.message}`;
  return new UserError(cause.code, message, { hint: cause.code === "redirect" ? (cause.hint ?? hint) : hint, cause });
}

/** The address without its last slash, and findings about it; or the error, whose message begins with `from`. */
function readAddress(text: string, from = ""): ServiceAddress | UserError {
  const { baseUrl, diagnostics } = checkBaseUrl(text, null);
  if (baseUrl !== null) return { baseUrl, diagnostics };
  const [first] = diagnostics;
  const full = `https://${text}`;
  const isHost = /^[\w-]+(\.[\w-]+)+(:\d+)?(\/|$)/.test(text) && checkBaseUrl(full, null).baseUrl !== null;
  const hint = isHost ? `Did you mean ${full}?` : (first?.hint ?? "Write it as https://short.example.com.");
  return usageError("wrong-base-url", `${from}${first?.message ?? "This is not an address."}`, { hint });
}
