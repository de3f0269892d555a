// The address and the API key of the service, from the files, the environment and the flags.

import { setMaxListeners } from "node:events";
import { checkBaseUrl } from "../config/load.ts";
import { isCi } from "../domain/ci.ts";
import { hasErrors } from "../domain/diagnostic.ts";
import { showPlace } from "../domain/place.ts";
import type { Project } from "../domain/project.ts";
import { UserError, usageError } from "../errors.ts";
import { LocatedError } from "../config/located-error.ts";
import { readNamed } from "../files/named.ts";
import type { World } from "./context.ts";
import type { DeclaredSoftware } from "../domain/software.ts";

export interface ServiceFlags {
  readonly baseUrl?: string;
  readonly apiKeyFile?: string;
  /** Seconds. */
  readonly maxWait?: number;
}

/** An address of the environment, and the only key that is sent to it. */
interface Account {
  /** The end of both variables. */
  readonly name: string;
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** An address without its final slash. Throws a user error with its origin (`from`) if it is not an address. */
export function parseAddress(text: string, from: string): string {
  const { baseUrl, diagnostics } = checkBaseUrl(text, null);
  const [problem] = diagnostics;
  if (baseUrl !== null && !hasErrors(diagnostics)) return baseUrl;
  throw new UserError("wrong-base-url", `${from}: ${problem?.message ?? "This must be a URL."}`, {
    hint: problem?.hint ?? "Write it as https://short.example.com.",
  });
}

const VARIABLE = /^LINKFORM_(?:BASE_URL|API_KEY)_([A-Z0-9_]+)$/;

/**
 * The pairs of LINKFORM_BASE_URL_NAME and LINKFORM_API_KEY_NAME, sorted by name. A pair of empty variables is ignored, because CI systems
 * set missing secrets to an empty text. Throws a user error for half a pair, and for an address with two keys.
 */
export function accountsOf(env: World["env"]): Account[] {
  const names = new Set(Object.keys(env).flatMap((variable) => VARIABLE.exec(variable)?.[1] ?? []));
  const pinned = env["LINKFORM_BASE_URL"] ?? "";
  const addresses = new Map(pinned === "" ? [] : [[parseAddress(pinned, "LINKFORM_BASE_URL"), "LINKFORM_BASE_URL"]]);
  return [...names].toSorted().flatMap((name) => {
    const [address, key] = [`LINKFORM_BASE_URL_${name}`, `LINKFORM_API_KEY_${name}`] as const;
    const [url, apiKey] = [env[address] ?? "", (env[key] ?? "").trim()];
    if (url === "" && apiKey === "") return [];
    if (url === "" || apiKey === "") {
      const [present, missing] = url === "" ? [key, address] : [address, key];
      throw usageError("half-account", `${present} is set, but ${missing} is not.`, {
        hint: `Set both, or remove ${present}.`,
      });
    }
    const baseUrl = parseAddress(url, address);
    const other = addresses.get(baseUrl);
    if (other !== undefined)
      throw usageError("account-twice", `${other} and ${address} are both ${baseUrl}.`, {
        hint: "Remove one of the two pairs, so that it is clear which API key to use.",
      });
    addresses.set(baseUrl, address);
    return [{ name, baseUrl, apiKey }];
  });
}

/**
 * The address of the service: `--base-url`, else the address in the files, which must be the one in LINKFORM_BASE_URL if
 * that is set. In CI one of the two must be set, or a pull request could send the key to an address of its choice. `named` is null
 * if no file has an address: then one of the two is the address.
 */
export function chooseBaseUrl(named: Project["baseUrl"] | null, flags: ServiceFlags, env: World["env"]): string {
  if (flags.baseUrl !== undefined) return parseAddress(flags.baseUrl, "--base-url");
  const pinned = env["LINKFORM_BASE_URL"] ?? "";
  if (named === null) {
    if (pinned !== "") return parseAddress(pinned, "LINKFORM_BASE_URL");
    const hint = "Set `service.base_url` in the project file, or pass `--base-url URL`.";
    throw new UserError("no-address", "The service address is not set.", { hint });
  }
  const { value, place } = named;
  const accounts = accountsOf(env);
  if (accounts.some(({ baseUrl }) => baseUrl === value)) return value;
  if (pinned === "" && accounts.length === 0) {
    if (!isCi(env)) return value;
    const message = `Only the files set the service address ${value}, which would receive the API key. In CI, a pull request can change the files.`;
    const hint = `If this is your service, set LINKFORM_BASE_URL=${value} where the API key is set, or pass --base-url ${value}.`;
    throw new LocatedError("unpinned-address", message, place, hint);
  }
  if (pinned !== "" && parseAddress(pinned, "LINKFORM_BASE_URL") === value) return value;
  const set = [
    ...(pinned === "" ? [] : [`LINKFORM_BASE_URL is ${pinned}`]),
    ...accounts.map(({ name, baseUrl }) => `LINKFORM_BASE_URL_${name} is ${baseUrl}`),
  ];
  const message = `${showPlace(place)} sets the service address ${value}, but ${set.join(", and ")}.`;
  const hint =
    accounts.length === 0
      ? "Correct `service.base_url` in the file. linkform sends the API key only to the address in LINKFORM_BASE_URL."
      : "Correct `service.base_url` in the file, or set LINKFORM_BASE_URL_NAME and LINKFORM_API_KEY_NAME for this account. linkform sends an API key only to the address that is set with it.";
  throw new UserError("other-address", message, { hint });
}

/** The API key for this address: from `--api-key-file`, from the account of the address, or LINKFORM_API_KEY. No message contains it. */
export async function readApiKey(flags: ServiceFlags, { env, cwd, secrets }: World, baseUrl: string): Promise<string> {
  const account = accountsOf(env).find((one) => one.baseUrl === baseUrl);
  const problem = { code: "no-key", hint: "Correct the path in --api-key-file." };
  const text =
    flags.apiKeyFile === undefined
      ? (account?.apiKey ?? env["LINKFORM_API_KEY"] ?? "")
      : await readNamed(cwd, flags.apiKeyFile, `The API key file ${flags.apiKeyFile}`, problem);
  const key = text.trim();
  secrets.add(key);
  return checkApiKey(key, "Set LINKFORM_API_KEY, or pass a file with --api-key-file.");
}

/** Throws a user error if the key is missing (`hint` says how to set one) or cannot be a key. */
export function checkApiKey(key: string, hint: string): string {
  if (key === "") throw new UserError("no-key", "The API key is not set.", { hint });
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new UserError("wrong-key", "The API key contains white space or characters that are not allowed.", {
      hint: "Copy the complete API key again, without other text.",
    });
  }
  return key;
}

/** The version that the project file declares; null to detect it. */
export function declaredIn({ software }: Pick<Project, "software">): DeclaredSoftware | null {
  return software && { version: software.value, from: showPlace(software.place) };
}

/** A signal with a listener for each change. Without this, Node warns about the eleventh listener. */
export function allowManyListeners(signal: AbortSignal): AbortSignal {
  setMaxListeners(0, signal);
  return signal;
}
