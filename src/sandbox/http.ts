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
      const { remoteAddress: address = "", localPort: port = 0 } = request.socket;
      const reply = answer({ method, target: path, headers, address, port, body });
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
  const sent = Object.entries(headers).map(([name, value]) => [name, headerBytes(value)]);
  // As bytes: in front of a text Node would encode the headers once more.
  const bytes = Buffer.from(body);
  response.writeHead(status, { ...Object.fromEntries(sent), "content-length": bytes.length });
  response.end(bytes);
}

/** UTF-8, as destinations are kept; what would end the header is encoded. */
function headerBytes(value: string): string {
  const bytes = Buffer.from(value).toString("latin1");
  return bytes.replace(/\p{Cc}/gu, (byte) => (byte < " " || byte === "\x7f" ? percent(byte) : byte));
}

const percent = (byte: string): string => `%${byte.charCodeAt(0).toString(16).padStart(2, "0").toUpperCase()}`;
