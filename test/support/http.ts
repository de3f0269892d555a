// Servers on 127.0.0.1, and what they receive.

import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import type { Server } from "node:net";

/** Starts a server on a free port. Returns its address, without a slash at its end. */
export async function listen(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return `http://127.0.0.1:${address.port}`;
}

/** The body of a request or a response. */
export async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
