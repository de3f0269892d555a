// The address and the API key of the service, from the files, the environment and the flags.

import { setMaxListeners } from "node:events";
import { isCi } from "../domain/ci.ts";
import { showPlace } from "../domain/place.ts";
import type { Project } from "../domain/project.ts";
import { UserError } from "../errors.ts";
import { LocatedError } from "../config/located-error.ts";
import { readNamed } from "../files/named.ts";
import { accountsOf, parseAddress } from "./accounts.ts";
import type { World } from "./context.ts";
import type { DeclaredSoftware } from "../domain/software.ts";

export interface ServiceFlags {
  readonly baseUrl?: string;
  readonly apiKeyFile?: string;
  /** Seconds. */
  readonly maxWait?: number;
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
export async function readApiKey(
  flags: ServiceFlags,
  { env, cwd, secrets }: World,
  baseUrl: string | null,
): Promise<string> {
  const account = accountsOf(env).find((one) => one.baseUrl === baseUrl);
  if (account !== undefined && flags.apiKeyFile === undefined)
    return checkApiKey(account.apiKey, `Set LINKFORM_API_KEY_${account.name}.`);
  const problem = { code: "no-key", hint: "Correct the path in --api-key-file." };
  const text =
    flags.apiKeyFile === undefined
      ? (env["LINKFORM_API_KEY"] ?? "")
      : await readNamed(cwd, flags.apiKeyFile, `The API key file ${flags.apiKeyFile}`, problem);
  const key = text.trim();
  secrets.add(key);
  return checkApiKey(key, "Set LINKFORM_API_KEY, or pass a file with --api-key-file.");
}

/** Checks a key. Throws a user error if it is missing (`hint` says how to set one) or cannot be a key. */
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
