// A network of servers on loopback addresses that answer in every way that `check` has to tell apart. It counts what it is asked.

import { execFileSync } from "node:child_process";
import type { LookupAddress } from "node:dns";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { BlockList, createServer as createTcpServer, type Server, type Socket } from "node:net";
import path from "node:path";
import tls from "node:tls";
import { onTestFinished, vi } from "vitest";
import type { Clock } from "../../src/domain/clock.ts";
import type { Verdict } from "../../src/check/ask.ts";
import { temporaryFolder } from "../support/scenario.ts";

/** Answers a request. `count` is the number of requests to this server before it. */
type Handler = (request: IncomingMessage, response: ServerResponse, count: number, net: Network) => void;

/** A kind of server: how it answers, and what `check` says of it. */
export interface Kind {
  readonly on?: Handler;
  /** In place of `on`, handles the connection. */
  readonly onSocket?: (socket: Socket) => void;
  /** The certificate; without one, http. */
  readonly over?: keyof Certificates;
  /** The address to ask. Without it, the address of the server. */
  readonly url?: string;
  readonly verdict: Verdict;
  readonly reason: string;
  readonly redirects?: number;
}

interface Certificates {
  readonly good: Pem;
  readonly expired: Pem;
  readonly other: Pem;
  readonly stranger: Pem;
}
interface Pem {
  readonly key: string;
  readonly cert: string;
}

const status =
  (code: number, headers: Readonly<Record<string, string>> = {}): Handler =>
  (_request, response) =>
    void response.writeHead(code, headers).end();

/** HEAD is refused with this status. */
const headRefused =
  (code: number, then: Handler = status(200)): Handler =>
  (request, ...rest) =>
    (request.method === "HEAD" ? status(code) : then)(request, ...rest);

const firstly =
  (times: number, code: number, headers: Readonly<Record<string, string>> = {}): Handler =>
  (_request, response, count) =>
    void response.writeHead(count < times ? code : 200, count < times ? headers : {}).end();

const redirect = (location: string): Handler => status(302, { location });

/** `/N` redirects N times. */
const chain =
  (most: number, end: Handler): Handler =>
  (request, ...rest) => {
    const left = request.url === "/" ? most : Number(request.url?.slice(1));
    (left === 0 ? end : redirect(`/${left - 1}`))(request, ...rest);
  };

const alive = { verdict: "alive", reason: "200" } as const;
const unknown = (reason: string): Pick<Kind, "verdict" | "reason"> => ({ verdict: "unknown", reason });
const dead = (reason: string): Pick<Kind, "verdict" | "reason"> => ({ verdict: "dead", reason });

const GIGABYTE = 2 ** 30;

export const KINDS: Readonly<Record<string, Kind>> = {
  alive: { on: status(200), ...alive },
  empty: { on: status(204), verdict: "alive", reason: "204" },
  "redirect without a target": { on: status(302), verdict: "alive", reason: "302" },
  ...Object.fromEntries(
    [400, 401, 403, 404, 405, 410, 500, 501, 503].map((code) => [`HEAD ${code}`, { on: headRefused(code), ...alive }]),
  ),
  ...Object.fromEntries([404, 410].map((code) => [`${code}`, { on: status(code), ...dead(`${code}`) }])),
  ...Object.fromEntries(
    [400, 401, 403, 405, 418, 429, 451, 500, 502, 503, 504, 999].map((code) => [
      `${code}`,
      { on: status(code), ...unknown(`${code}`) },
    ]),
  ),
  "404 for half a minute": { on: firstly(2, 404), ...alive },
  "404, then 503": {
    on: (_request, response, count) => void response.writeHead(count < 2 ? 404 : 503).end(),
    ...unknown("503"),
  },
  "429 with seconds": { on: firstly(1, 429, { "retry-after": "3" }), ...alive },
  "503 with seconds": { on: firstly(2, 503, { "retry-after": "1" }), ...alive },
  "429 with a date": {
    on: (_request, response, count, { clock }) => {
      const retryAfter = new Date(clock.now() + 4000).toUTCString();
      const date = new Date(clock.now()).toUTCString();
      response.writeHead(count === 0 ? 429 : 200, count === 0 ? { date, "retry-after": retryAfter } : {}).end();
    },
    ...alive,
  },
  "429 for a day": { on: status(429, { "retry-after": "86400" }), ...unknown("429") },
  "429 for ever": { on: status(429, { "retry-after": "0" }), ...unknown("429") },
  "5 redirects": { on: chain(5, status(200)), ...alive, redirects: 5 },
  "6 redirects": { on: chain(6, status(200)), ...unknown("more than 5 redirects"), redirects: 5 },
  "redirect to nothing": { on: chain(1, status(404)), ...dead("404"), redirects: 1 },
  "redirect to itself": { on: redirect("/"), ...unknown("redirects in a loop") },
  "redirects in a circle": { on: chain(3, redirect("/3")), ...unknown("redirects in a loop"), redirects: 4 },
  "redirect to ftp": { on: redirect("ftp://x.test/"), ...unknown("redirects to something other than http") },
  "redirect to a script": { on: redirect("javascript:1"), ...unknown("redirects to something other than http") },
  "redirect to no address": { on: redirect("http://"), ...unknown("redirects to something other than http") },
  "redirect to a private address": { on: redirect("http://10.0.0.1/"), ...unknown("private address"), redirects: 1 },
  "redirect to this machine": { on: redirect("http://[::1]/"), ...unknown("private address"), redirects: 1 },
  "redirect to a mapped address": {
    on: redirect("http://[::ffff:169.254.169.254]/latest/meta-data"),
    ...unknown("private address"),
    redirects: 1,
  },
  "redirect to a private name": { on: redirect("http://inside.test/"), ...unknown("private address"), redirects: 1 },
  "redirect to no host": { on: redirect("http://missing.test/"), ...dead("no such host"), redirects: 1 },
  "redirect to a short link": { on: redirect("https://go.test/a"), verdict: "alive", reason: "302", redirects: 1 },
  "private number": { url: "http://2130706433/", ...unknown("private address") },
  "private name": { url: "http://inside.test/", ...unknown("private address") },
  "one private address of two": { url: "http://both.test/", ...unknown("private address") },
  "no host": { url: "https://missing.test/", ...dead("no such host") },
  "no name server": { url: "http://again.test/", ...unknown("no connection") },
  "a short link": { url: "https://go.test/a", ...unknown("never asked") },
  mail: { url: "mailto:a@x.test", ...unknown("not an http or https address") },
  "slow headers": {
    on: ({ socket }) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      const timer = setInterval(() => socket.write("X-Slow: 1\r\n"), 50);
      socket.on("close", () => clearInterval(timer));
    },
    ...unknown("timed out"),
  },
  silence: { on: () => undefined, ...unknown("timed out") },
  "slow body": { on: headRefused(405, (_request, response) => void response.writeHead(200).write("a")), ...alive },
  "huge body": {
    on: headRefused(405, (_request, response, _count, net) => {
      response.writeHead(200, { "content-length": GIGABYTE });
      const chunk = Buffer.alloc(2 ** 16);
      const fill = (): void => {
        while (response.socket?.destroyed === false && response.write(chunk));
      };
      response.on("drain", fill);
      response.socket?.on("close", () => (net.bytes += response.socket?.bytesWritten ?? 0));
      fill();
    }),
    ...alive,
  },
  reset: { on: ({ socket }) => void socket.resetAndDestroy(), ...unknown("connection lost") },
  "reset for HEAD": {
    on: (request, ...rest) =>
      request.method === "HEAD" ? void request.socket.destroy() : status(200)(request, ...rest),
    ...alive,
  },
  "not HTTP": { onSocket: (socket) => void socket.resume().end("SSH-2.0-x\r\n"), ...unknown("connection lost") },
  https: { on: status(200), over: "good", ...alive },
  "expired certificate": {
    on: status(200),
    over: "expired",
    ...dead(`certificate expired on ${new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)}`),
  },
  "certificate for another host": { on: status(200), over: "other", ...dead("certificate for another host") },
  "certificate of a stranger": { on: status(200), over: "stranger", ...unknown("no trusted connection") },
};

/** Which host names have other addresses than that of their server. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  "inside.test": ["192.168.1.1"],
  "both.test": ["127.77.0.1", "fd00::1"],
  "go.test": ["127.77.0.1"],
};

export class Network {
  readonly clock: Clock;
  /** Only these loopback addresses may be connected to. */
  readonly allowed = new BlockList();
  /** Each server's kind, by the address to ask. */
  readonly kinds = new Map<string, Kind>();
  /** Everything that a server did not expect. */
  readonly faults: string[] = [];
  /** The bytes of the huge bodies that were sent. */
  bytes = 0;
  requests = 0;
  most = 0;
  #underWay = 0;
  readonly #addresses = new Map<string, string>();
  #certificates: Certificates | null = null;

  constructor(clock: Clock) {
    this.clock = clock;
    this.allowed.addSubnet("127.77.0.0", 16);
  }

  readonly lookup = async (host: string): Promise<readonly LookupAddress[]> => {
    const own = this.#addresses.get(host);
    const found = own === undefined ? NAMES[host] : [own];
    if (found === undefined)
      throw Object.assign(new Error(host), { code: host === "again.test" ? "EAI_AGAIN" : "ENOTFOUND" });
    return found.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  };

  /** Starts one server of this kind. Its name is `hN.net.test`. */
  async add(kind: Kind): Promise<string> {
    const at = this.#addresses.size;
    const host = `h${at}.net.test`;
    const address = `127.77.${1 + Math.floor(at / 250)}.${1 + (at % 250)}`;
    this.#addresses.set(host, address);
    const { on, onSocket, over, url } = kind;
    if (url !== undefined) {
      this.kinds.set(`${url}#${at}`, kind);
      return `${url}#${at}`;
    }
    if (over !== undefined) this.#certificates ??= await makeCertificates();
    const count = { value: 0 };
    const handle = (request: IncomingMessage, response: ServerResponse): void => {
      on?.(request, response, count.value++, this);
    };
    const server =
      onSocket !== undefined
        ? createTcpServer(onSocket)
        : over === undefined
          ? createServer(handle)
          : createSecureServer(this.#certificates?.[over] ?? {}, handle);
    this.#watch(server, host);
    server.listen(0, address);
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const bound = server.address();
    const port = typeof bound === "object" && bound !== null ? bound.port : 0;
    const asked = `http${over === undefined ? "" : "s"}://${host}:${port}/`;
    this.kinds.set(asked, kind);
    return asked;
  }

  /** Counts connections, because each request has its own. */
  #watch(server: Server, host: string): void {
    let open = 0;
    let ended = -Infinity;
    server.on("connection", (socket: Socket) => {
      this.requests += 1;
      open += 1;
      this.#underWay += 1;
      this.most = Math.max(this.most, this.#underWay);
      if (open > 1) this.faults.push(`${host} got ${open} requests at once`);
      if (this.clock.now() - ended < 490)
        this.faults.push(`${host} was asked again after ${this.clock.now() - ended} ms`);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        open -= 1;
        this.#underWay -= 1;
        ended = this.clock.now();
      });
    });
  }
}

/** Makes certificates of an authority that this test trusts, and one of another authority. */
async function makeCertificates(): Promise<Certificates> {
  const folder = await temporaryFolder();
  const openssl = (...args: string[]): void => void execFileSync("openssl", args, { cwd: folder, stdio: "pipe" });
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  for (const name of ["trusted", "unknown"])
    openssl(
      "req",
      "-x509",
      ...key,
      "-subj",
      `/CN=${name}`,
      "-days",
      "2",
      "-keyout",
      `${name}.key`,
      "-out",
      `${name}.pem`,
    );
  const make = async (name: string, authority: string, hosts: string, days: number): Promise<Pem> => {
    const names = ["-addext", `subjectAltName=DNS:${hosts}`];
    openssl("req", ...key, "-subj", `/CN=${name}`, ...names, "-keyout", `${name}.key`, "-out", `${name}.csr`);
    const sign = [
      "-CA",
      `${authority}.pem`,
      "-CAkey",
      `${authority}.key`,
      "-CAcreateserial",
      "-copy_extensions",
      "copy",
    ];
    openssl("x509", "-req", "-in", `${name}.csr`, ...sign, "-days", `${days}`, "-out", `${name}.pem`);
    const read = (file: string): Promise<string> => readFile(path.join(folder, file), "utf8");
    return { key: await read(`${name}.key`), cert: await read(`${name}.pem`) };
  };
  const made = {
    good: await make("good", "trusted", "*.net.test", 2),
    expired: await make("expired", "trusted", "*.net.test", -1),
    other: await make("other", "trusted", "*.other.test", 2),
    stranger: await make("stranger", "unknown", "*.net.test", 2),
  };
  const ca = await readFile(path.join(folder, "trusted.pem"), "utf8");
  const create = tls.createSecureContext;
  const spy = vi.spyOn(tls, "createSecureContext").mockImplementation((options) => create({ ca, ...options }));
  onTestFinished(() => spy.mockRestore());
  return made;
}
