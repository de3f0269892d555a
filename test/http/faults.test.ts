// What is said of a request that got no answer, by the system's code of it. Fails when a code that people meet is shown instead
// of its meaning, or its advice is another's.

import { expect, test } from "vitest";
import { explainFault } from "../../src/http/faults.ts";

test.each([
  ["ENOTFOUND", "unreachable", "links.example can't be reached: there is no such host."],
  ["EAI_AGAIN", "unreachable", "links.example can't be reached: its name can't be looked up."],
  ["ECONNREFUSED", "unreachable", "links.example can't be reached: nothing listens there."],
  ["ENETUNREACH", "unreachable", "links.example can't be reached: ENETUNREACH."],
  ["UND_ERR_CONNECT_TIMEOUT", "timeout", "No connection to links.example was made in time (UND_ERR_CONNECT_TIMEOUT)."],
  ["CERT_HAS_EXPIRED", "tls", "The certificate of links.example can't be trusted (CERT_HAS_EXPIRED)."],
  ["EPROTO", "tls", "There is no speaking https with links.example (EPROTO)."],
])("%s", (code, kind, message) => {
  const cause = Object.assign(new Error("x"), { code });
  const fault = { cause, host: "links.example", connected: false, status: null, proxy: null };
  expect(explainFault(fault, { address: "the address", again: "Run again." })).toMatchObject({ kind, message });
});
