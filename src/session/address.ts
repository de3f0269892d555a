// Reads the address of a service from a flag or a variable.

import { checkBaseUrl } from "../config/load.ts";
import { hasErrors } from "../domain/diagnostic.ts";
import { UserError } from "../errors.ts";

/** An address without its final slash. Throws a user error with its origin (`from`) if it is not an address. */
export function parseAddress(text: string, from: string): string {
  const { baseUrl, diagnostics } = checkBaseUrl(text, null);
  const [problem] = diagnostics;
  if (baseUrl !== null && !hasErrors(diagnostics)) return baseUrl;
  throw new UserError("wrong-base-url", `${from}: ${problem?.message ?? "This must be a URL."}`, {
    hint: problem?.hint ?? "Write it as https://short.example.com.",
  });
}
