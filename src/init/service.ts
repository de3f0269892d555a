// The service of a new project: its address and a key that it takes, asked again as long as they are not right.

import type { Diagnostic } from "../domain/diagnostic.ts";
import { EXIT, ServiceError, UserError } from "../errors.ts";
import type { Console } from "../session/console.ts";
import type { World } from "../session/context.ts";
import { readAddress, readNames, type Account } from "./account.ts";
import { missingFlag, wrongFlag, type InitFlags } from "./flags.ts";
import type { Questions } from "../session/questions.ts";

/** A service that was found. */
export interface Reached {
  readonly baseUrl: string;
  /** Null where it was asked nothing. */
  readonly account: Account | null;
  /** What the service is asked with; null where it is asked nothing. */
  readonly keyed: KeyedWorld | null;
  /** Whether the key was typed in, so that the next command does not have it. */
  readonly isKeyTyped: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** A world and flags that give the key. */
export interface KeyedWorld {
  readonly world: World;
  readonly flags: InitFlags;
}

/** Finds the service. Throws a user or service error where an answer is missing, or is wrong and nobody can be asked again. */
export async function reachService(
  world: World,
  flags: InitFlags,
  out: Console,
  ask: Questions | null,
): Promise<Reached> {
  const pinned = world.env["LINKFORM_BASE_URL"] ?? "";
  let given: string | null = flags.baseUrl ?? (ask === null && pinned !== "" ? pinned : null);
  for (let initial = pinned; ;) {
    const address = given === null ? await askAddress(initial, ask) : checkedAddress(given, flags);
    const { baseUrl } = address;
    [given, initial] = [null, baseUrl];
    if (flags.offline === true) return { ...address, ...UNASKED };
    try {
      return { ...address, ...(await tryKeys(world, flags, out, ask, baseUrl)) };
    } catch (cause) {
      const again = ask !== null && isAnswerable(cause) ? ask : null;
      if (again === null) throw cause;
      again.warn(cause instanceof Error ? cause.message : "", hintOf(cause));
    }
  }
}

const UNASKED = { account: null, keyed: null, isKeyTyped: false } as const;

type ServiceAddress = Pick<Reached, "baseUrl" | "diagnostics">;

function checkedAddress(text: string, { baseUrl }: InitFlags): ServiceAddress {
  const read = readAddress(text);
  if (!("problem" in read)) return read;
  const from = baseUrl === undefined ? "LINKFORM_BASE_URL" : "--base-url";
  throw wrongFlag("wrong-base-url", `${from}: ${read.problem.message}`, read.problem.hint);
}

async function askAddress(initial: string, ask: Questions | null): Promise<ServiceAddress> {
  if (ask === null)
    throw missingFlag(
      "no-address",
      "--base-url",
      "nothing says where the service is.",
      "Give the address where people log in to it, or set LINKFORM_BASE_URL.",
    );
  const question = "Where is your service? The address where people log in to it";
  const text = await ask.text(question, { initial, example: "https://short.example.com" }, (answer) => {
    const read = readAddress(answer);
    return "problem" in read ? `${read.problem.message} ${read.problem.hint}` : null;
  });
  const read = readAddress(text);
  if ("problem" in read) throw new Error("an address was checked and is none");
  return read;
}

/** The key that is set, then those that are typed in, until the service takes one. */
async function tryKeys(
  world: World,
  flags: InitFlags,
  out: Console,
  ask: Questions | null,
  baseUrl: string,
): Promise<Omit<Reached, keyof ServiceAddress>> {
  const isSet = flags.apiKeyFile !== undefined || (world.env["LINKFORM_API_KEY"] ?? "").trim() !== "";
  if (!isSet && ask === null)
    throw missingFlag(
      "no-key",
      "--api-key-file",
      "there is no API key, so the service can't be asked.",
      "Set LINKFORM_API_KEY, name a file with --api-key-file, or ask the service nothing with --offline.",
    );
  if (isSet) {
    try {
      const account = await readNames(world, flags, out, baseUrl);
      return { account, keyed: { world, flags }, isKeyTyped: false };
    } catch (cause) {
      if (ask === null || !isAboutKey(cause)) throw cause;
      ask.warn(cause instanceof Error ? cause.message : "", "Type another one, for this run only.");
    }
  }
  for (;;) {
    const key = (await ask?.secret("Your API key (it is not shown; leave it empty to ask the service nothing)")) ?? "";
    if (key === "") return UNASKED;
    const { apiKeyFile: _, ...others } = flags;
    const own: World = { ...world, env: { ...world.env, LINKFORM_API_KEY: key } };
    try {
      const account = await readNames(own, others, out, baseUrl);
      return { account, keyed: { world: own, flags: others }, isKeyTyped: true };
    } catch (cause) {
      if (!isAboutKey(cause)) throw cause;
      ask?.warn(cause instanceof Error ? cause.message : "", "Is it whole, and of this service? Try again.");
    }
  }
}

/** Whether another key may help. */
function isAboutKey(cause: unknown): boolean {
  if (cause instanceof ServiceError) return cause.code === "unauthenticated" || cause.code === "forbidden";
  return cause instanceof UserError && (cause.code === "no-key" || cause.code === "wrong-key");
}

/** Whether another address may help: not where the run is to end. */
function isAnswerable(cause: unknown): boolean {
  if (cause instanceof ServiceError) return true;
  return cause instanceof UserError && cause.exit === EXIT.error && cause.code !== "timed-out";
}

function hintOf(cause: unknown): string | null {
  return cause instanceof ServiceError || cause instanceof UserError ? cause.hint : null;
}
