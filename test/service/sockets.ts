// Below HTTP: untrusted certificates, and ports without a listener.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";

export interface SelfSigned {
  readonly key: Buffer;
  readonly cert: Buffer;
  /** The certificate's file for NODE_EXTRA_CA_CERTS, until the test ends. */
  readonly file: string;
}

/** A self-signed certificate for 127.0.0.1, made by openssl. */
export function selfSigned(): SelfSigned {
  const folder = mkdtempSync(path.join(tmpdir(), "linkform-tls-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [key, file] = [path.join(folder, "key.pem"), path.join(folder, "cert.pem")];
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"];
  const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1"];
  execFileSync("openssl", ["req", "-x509", ...kind, ...subject, "-keyout", key, "-out", file], { stdio: "pipe" });
  return { key: readFileSync(key), cert: readFileSync(file), file };
}

/** A port without a listener, which was free a moment ago. */
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
