// What is said of a request that got no answer, by the system's code of it. Fails when a code that people meet is shown instead
// of its meaning, or its advice is another's.

import { expect, test } from "vitest";
import { explainFault } from "../../src/http/faults.ts";

test.each([
  ["ENOTFOUND", "unreachable", "linkform cannot connect to links.example: the host does not exist."],
  ["EAI_AGAIN", "unreachable", "linkform cannot connect to links.example: the host name cannot be resolved."],
  ["ECONNREFUSED", "unreachable", "linkform cannot connect to links.example: the connection was refused."],
  ["ENETUNREACH", "unreachable", "linkform cannot connect to links.example: there is no route to its network."],
  ["UND_ERR_CONNECT_TIMEOUT", "timeout", "The connection to links.example timed out (UND_ERR_CONNECT_TIMEOUT)."],
  [
    "ERR_TLS_CERT_ALTNAME_INVALID",
    "tls",
    "The certificate of links.example is not trusted (ERR_TLS_CERT_ALTNAME_INVALID).",
  ],
  ["EPROTO", "tls", "The TLS connection to links.example failed (EPROTO)."],
])("%s", (code, kind, message) => {
  const cause = Object.assign(new Error("x"), { code });
  const fault = { cause, host: "links.example", connected: false, status: null, proxy: null };
  expect(explainFault(fault, { address: "the address", again: "Run again." })).toMatchObject({ kind, message });
});
