// Which IP addresses are not on the public internet.

import { BlockList, isIPv4 } from "node:net";

/** IANA's special-purpose addresses, with multicast, reserved, and the metadata services of most clouds; and Azure's service. */
const SPECIAL_V4 =
  "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 " +
  "192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3 168.63.129.16/32";

/** All but 2000::/3, so also mapped and translated IPv4 addresses; in it, protocols with Teredo, documentation, and 6to4. */
const SPECIAL_V6 = "::/3 4000::/2 8000::/1 2001::/23 2001:db8::/32 3fff::/20 2002::/16";

// Two lists, because one with ::/3 contains all IPv4 addresses in their mapped form.
const SPECIAL = { ipv4: listOf(SPECIAL_V4, "ipv4"), ipv6: listOf(SPECIAL_V6, "ipv6") };

function listOf(ranges: string, family: "ipv4" | "ipv6"): BlockList {
  const list = new BlockList();
  for (const [network = "", bits] of ranges.split(" ").map((range) => range.split("/")))
    list.addSubnet(network, Number(bits), family);
  return list;
}

/** Whether an IP address is not public, and is not in `allowed` either. */
export function isPrivate(address: string, allowed?: BlockList): boolean {
  const family = isIPv4(address) ? "ipv4" : "ipv6";
  return SPECIAL[family].check(address, family) && allowed?.check(address, family) !== true;
}
