// A forward proxy on 127.0.0.1: it forwards plain http, and opens tunnels for https.

import { createServer, request, type IncomingHttpHeaders, type RequestListener } from "node:http";
import { connect as connectTcp, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { readProxy } from "../../src/http/exchange.ts";
import { fastClock } from "../support/clock.ts";
import { connect, listen, type Connected } from "./server.ts";

export type Env = Readonly<Record<string, string>>;

/** A name and a password, as in an address and as sent. */
export const CREDENTIALS = { written: "user:p%40ss", sent: `Basic ${Buffer.from("user:p@ss").toString("base64")}` };

/** How the proxy fails. */
export type Failing = number | "drop" | "hold";

export interface ForwardProxy {
  readonly port: number;
  readonly asked: readonly {
    readonly method: string;
    readonly target: string;
    readonly headers: IncomingHttpHeaders;
  }[];
  /** Everything that clients have sent to it, including tunnels. */
  seen(): string;
}

/** Starts a proxy that works, or that fails for plain http or for tunnels. */
export async function startForwardProxy(
  plain: Failing | null = null,
  tunnel: Failing | null = plain,
): Promise<ForwardProxy> {
  const asked: ForwardProxy["asked"][number][] = [];
  const sockets = new Set<Socket>();
  const heard: Buffer[] = [];
  const forward: RequestListener = (incoming, outgoing) => {
    const { method = "", url: target = "", headers } = incoming;
    asked.push({ method, target, headers });
    if (plain !== null) {
      if (plain === "drop") incoming.socket.destroy();
      else if (plain !== "hold") outgoing.writeHead(plain, { "content-type": "text/html" }).end("<h1>Proxy</h1>");
      return;
    }
    const { "proxy-authorization": _own, "proxy-connection": _connection, ...rest } = headers;
    const onward = request(target, { method, headers: rest, agent: false }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on("error", () => outgoing.writeHead(502).end());
    incoming.pipe(onward);
  };
  const server = createServer(forward);
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("data", (chunk: Buffer) => heard.push(chunk)).on("error", () => undefined);
  });
  server.on("connect", ({ method = "", url: target = "", headers }, socket: Socket) => {
    asked.push({ method, target, headers });
    if (tunnel !== null) {
      if (tunnel === "drop") socket.destroy();
      else if (tunnel !== "hold") socket.end(`HTTP/1.1 ${tunnel} No\r\n\r\n`);
      return;
    }
    const { hostname, port } = new URL(`tcp://${target}`);
    const onward = connectTcp(Number(port), hostname, () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      socket.pipe(onward).pipe(socket);
    });
    sockets.add(onward);
    onward.on("error", () => socket.destroy());
  });
  const port = await listen(server);
  // Before the server closes, because it waits for them.
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  return { port, asked, seen: () => Buffer.concat(heard).toString("latin1") };
}

/** A client that uses a proxy at this port, with a name and a password. Backoff takes no time. */
export function through(port: number, baseUrl: string, env: Env = {}): Connected {
  const proxy = `http://${CREDENTIALS.written}@127.0.0.1:${port}`;
  const settings = readProxy(baseUrl, { HTTP_PROXY: proxy, HTTPS_PROXY: proxy, ...env });
  return connect(baseUrl, { proxy: settings, clock: { ...fastClock(1000), real: (ms) => ms / 50 } });
}
