// The addresses that `check` connects to: only public ones, so that no destination or redirect makes it reach a private network.

import type { LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import type { BlockList, LookupFunction } from "node:net";
import { callbackify } from "node:util";
import { isPrivate } from "../config/public-address.ts";
import { osCode } from "../files/location.ts";
import type { AskOptions } from "./ask.ts";
import { NoReply } from "./reply.ts";

/** Throws `NoReply` for an IP address that is not public, except one in `allowed`. */
export function refusePrivate(address: string, allowed: BlockList | undefined): void {
  if (isPrivate(address, allowed)) throw new NoReply("unknown", "private address");
}

/**
 * The lookup of connections. A connection gets the addresses that were checked here, so a name server cannot return others for it. Fails
 * with `NoReply` if an address is private, or if the host does not exist.
 */
export function checkedLookup({
  never,
  allowed,
  lookup: resolve = (host) => lookup(host, { all: true }),
}: Pick<AskOptions, "never" | "allowed" | "lookup">): LookupFunction {
  let canResolve = false;
  const resolvePublic = async (host: string): Promise<LookupAddress[]> => {
    const found = await resolve(host);
    for (const { address } of found) refusePrivate(address, allowed);
    canResolve = true;
    return [...found];
  };
  const find = async (host: string): Promise<LookupAddress[]> => {
    try {
      return await resolvePublic(host);
    } catch (failed) {
      if (osCode(failed) !== "ENOTFOUND") throw failed;
      // Without a network, some systems say this of every host but localhost. The service and the short domains do exist.
      if (!canResolve) await Promise.allSettled([...never].map(resolvePublic));
      throw canResolve ? new NoReply("dead", "no such host") : new NoReply("unknown", "no host can be resolved");
    }
  };
  return (host, _options, callback) => callbackify(() => find(host))(callback);
}
