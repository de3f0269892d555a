// What lies below HTTP: certificates that nobody vouches for, and ports on which nothing listens.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";

export interface SelfSigned {
  readonly key: Buffer;
  readonly cert: Buffer;
  /** The certificate's file, as long as the test runs: for NODE_EXTRA_CA_CERTS. */
  readonly file: string;
}

/** A certificate of 127.0.0.1 that nobody vouches for, made by openssl. */
export function selfSigned(): SelfSigned {
  const folder = mkdtempSync(path.join(tmpdir(), "linkform-tls-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [key, file] = [path.join(folder, "key.pem"), path.join(folder, "cert.pem")];
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"];
  const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1"];
  execFileSync("openssl", ["req", "-x509", ...kind, ...subject, "-keyout", key, "-out", file], { stdio: "pipe" });
  return { key: readFileSync(key), cert: readFileSync(file), file };
}

/** A port on which nothing listens: one that was free a moment ago. */
export async function deadPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  await new Promise((resolve) => {
    server.close(resolve);
  });
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}
