// The addresses of flags and variables, and the accounts of an environment: pairs of LINKFORM_BASE_URL_NAME and LINKFORM_API_KEY_NAME.

import { checkBaseUrl } from "../config/load.ts";
import { hasErrors } from "../domain/diagnostic.ts";
import { UserError, usageError } from "../errors.ts";
import type { World } from "./context.ts";

/** An address, and the only key that is sent to it. */
export interface Account {
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
 * The accounts, sorted by name. A pair of empty variables is ignored, because CI systems set missing secrets to an empty text. Throws
 * a user error for half a pair, and for an address with two keys.
 */
export function accountsOf(env: World["env"]): Account[] {
  const names = Object.keys(env).flatMap((variable) => VARIABLE.exec(variable)?.[1] ?? []);
  const accounts = [...new Set(names)].toSorted().flatMap((name) => accountOf(name, env) ?? []);
  const pinned = env["LINKFORM_BASE_URL"] ?? "";
  const addresses = new Map(pinned === "" ? [] : [[parseAddress(pinned, "LINKFORM_BASE_URL"), "LINKFORM_BASE_URL"]]);
  for (const { name, baseUrl } of accounts) {
    const variable = `LINKFORM_BASE_URL_${name}`;
    const other = addresses.get(baseUrl);
    if (other !== undefined)
      throw usageError("account-twice", `${other} and ${variable} are both ${baseUrl}.`, {
        hint: "Remove one of the two pairs, so that it is clear which API key to use.",
      });
    addresses.set(baseUrl, variable);
  }
  return accounts;
}

function accountOf(name: string, env: World["env"]): Account | null {
  const [address, key] = [`LINKFORM_BASE_URL_${name}`, `LINKFORM_API_KEY_${name}`] as const;
  const [baseUrl, apiKey] = [env[address] ?? "", (env[key] ?? "").trim()];
  if (baseUrl === "" && apiKey === "") return null;
  if (baseUrl === "" || apiKey === "") {
    const [present, missing] = baseUrl === "" ? [key, address] : [address, key];
    throw usageError("half-account", `${present} is set, but ${missing} is not.`, {
      hint: `Set both, or remove ${present}.`,
    });
  }
  return { name, baseUrl: parseAddress(baseUrl, address), apiKey };
}
