// Which IP addresses `check` connects to.

import { BlockList } from "node:net";
import { expect, test } from "vitest";
import { refusePrivate } from "../../src/check/request.ts";

// Fails if an address of this machine, a private network, a cloud's metadata service or multicast is connected to, in any notation.
test.each(
  `0.0.0.0 10.255.255.255 100.64.0.1 127.0.0.1 127.255.255.254 168.63.129.16 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.192
  192.168.0.1 198.19.0.1 224.0.0.1 240.0.0.1 255.255.255.255 :: ::1 ::127.0.0.1 ::ffff:10.0.0.1 ::ffff:a9fe:a9fe 64:ff9b::a00:1
  64:ff9b:1::1 100::1 2001::1 2001:db8::1 2002:a00:1::1 2002:7f00:1::1 3fff::1 5f00::1 fc00::1 fd00:ec2::254 fe80::1 fec0::1 ff02::1`.split(
    /\s+/,
  ),
)("%s is private", (address) => {
  expect(() => refusePrivate(address, undefined)).toThrow("private address");
});

test.each(
  "1.1.1.1 9.255.255.255 11.0.0.0 100.63.0.1 100.128.0.1 172.15.0.1 172.32.0.1 192.169.0.1 223.255.255.255 2606:4700::1 2a00:1450:4001::1".split(
    " ",
  ),
)("%s is public", (address) => {
  expect(() => refusePrivate(address, undefined)).not.toThrow();
});

test("only the given private addresses are allowed", () => {
  const allowed = new BlockList();
  allowed.addAddress("127.0.0.2");
  expect(() => refusePrivate("127.0.0.2", allowed)).not.toThrow();
  expect(() => refusePrivate("127.0.0.3", allowed)).toThrow("private address");
});
