// The socket side: reads requests whole, keeps a log of them, sends the answers.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Received } from "./app.ts";
import type { Reply } from "./reply.ts";

export interface LoggedRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** Of the answer; 0 as long as there is none. */
  readonly status: number;
  readonly body: string;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** What PHP takes (`post_max_size`); more is 413. */
const MAX_BODY = 8 * 1024 * 1024;
const MAX_LOGGED = 100_000;

/** A server that is not listening yet. What has arrived in full is worked on even if the client has left since. */
export function createHttpServer(answer: (received: Received) => Reply, log: LoggedRequest[]): Server {
  return createServer((request, response) => {
    const { method = "", url: path = "", headers } = request;
    const entry = { method, path, status: 0, body: "", headers };
    log.push(entry);
    if (log.length > MAX_LOGGED) log.shift();
    readBody(request, (body) => {
      entry.body = body?.toString() ?? "";
      const address = request.socket.remoteAddress ?? "";
      const reply = answer({ method, target: path, headers, address, body });
      entry.status = reply.status;
      send(response, reply);
    });
  });
}

function readBody(request: IncomingMessage, done: (body: Buffer | null) => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  request.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size <= MAX_BODY) chunks.push(chunk);
  });
  request.on("end", () => done(size <= MAX_BODY ? Buffer.concat(chunks) : null));
}

function send(response: ServerResponse, { status, headers, body }: Reply): void {
  response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) });
  response.end(body);
}
