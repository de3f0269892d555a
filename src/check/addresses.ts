// The addresses that `check` connects to: only public ones, so that no destination or redirect makes it reach a private network.

import type { LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import { BlockList, isIPv4, type LookupFunction } from "node:net";
import { callbackify } from "node:util";
import { osCode } from "../files/location.ts";
import type { AskOptions } from "./ask.ts";
import { NoReply } from "./reply.ts";

/** IANA's special-purpose addresses, with multicast, reserved, and the metadata services of most clouds; and Azure's service. */
const PRIVATE_V4 =
  "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 " +
  "192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3 168.63.129.16/32";

/** All but 2000::/3, so also mapped and translated IPv4 addresses; in it, protocols with Teredo, documentation, and 6to4. */
const PRIVATE_V6 = "::/3 4000::/2 8000::/1 2001::/23 2001:db8::/32 3fff::/20 2002::/16";

// Two lists, because one with ::/3 contains all IPv4 addresses in their mapped form.
const PRIVATE = { ipv4: listOf(PRIVATE_V4, "ipv4"), ipv6: listOf(PRIVATE_V6, "ipv6") };

function listOf(ranges: string, family: "ipv4" | "ipv6"): BlockList {
  const list = new BlockList();
  for (const range of ranges.split(" ")) {
    const [network = "", bits] = range.split("/");
    list.addSubnet(network, Number(bits), family);
  }
  return list;
}

/** Throws `NoReply` for an IP address that is not public, except one in `allowed`. */
export function refusePrivate(address: string, allowed: BlockList | undefined): void {
  const family = isIPv4(address) ? "ipv4" : "ipv6";
  if (PRIVATE[family].check(address, family) && allowed?.check(address, family) !== true)
    throw new NoReply("unknown", "private address");
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
