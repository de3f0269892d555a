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
import { expect, onTestFinished, vi } from "vitest";
import { askAll, type Answer, type AskOptions } from "../../src/check/ask.ts";
import type { Clock } from "../../src/domain/clock.ts";
import { temporaryFolder } from "../support/scenario.ts";

/** Answers a request. `before` is the number of requests to this server before it. */
export type Handler = (request: IncomingMessage, response: ServerResponse, before: number, network: Network) => void;

/** A server; or, without one, the address to ask. */
type Site =
  | { readonly on: Handler; readonly certificate?: keyof Certificates }
  | { readonly onSocket: (socket: Socket) => void; readonly certificate?: keyof Certificates }
  | string;

type Certificates = Readonly<Record<"good" | "expired" | "other" | "stranger", { key: string; cert: string }>>;
type Headers = Readonly<Record<string, string>>;

export function status(code: number, headers: Headers = {}): Handler {
  return (_request, response) => void response.writeHead(code, headers).end();
}

export function redirect(location: string): Handler {
  return status(302, { location });
}

/** Some answers with this status, and then others. */
function first(times: number, code: number, headers: Headers = {}, then = status(200)): Handler {
  return (...call) => (call[2] < times ? status(code, headers) : then)(...call);
}

function refuseHead(code: number, then = status(200)): Handler {
  return (...call) => (call[0].method === "HEAD" ? status(code) : then)(...call);
}

/** `/` redirects this number of times. */
function redirects(count: number, then: Handler): Handler {
  return (...call) => {
    const left = call[0].url === "/" ? count : Number(call[0].url?.slice(1));
    (left === 0 ? then : redirect(`/${left - 1}`))(...call);
  };
}

/** Wants to be left alone until a time by its own clock, which is a day behind. */
const limitedUntil = (): Handler => {
  let end: number | null = null;
  return (request, response, before, network) => {
    const now = network.clock.now();
    end ??= now + 4000;
    const [date = "", until = ""] = [now, end].map((ms) => new Date(ms - 86_400_000).toUTCString());
    status(now < end - 1000 ? 429 : 200, { date, "retry-after": until })(request, response, before, network);
  };
};

const GIGABYTE = 2 ** 30;

const hugeBody: Handler = (_request, response, _before, network) => {
  const chunk = Buffer.alloc(2 ** 16);
  const { socket } = response;
  const fill = (): void => {
    let isReady = true;
    while (isReady) isReady = socket?.destroyed === false && response.write(chunk);
  };
  socket?.on("close", () => (network.bytes += socket.bytesWritten));
  response.writeHead(200, { "content-length": GIGABYTE }).on("drain", fill);
  fill();
};

const slowHeaders: Handler = ({ socket }) => {
  socket.write("HTTP/1.1 200 OK\r\n");
  const timer = setInterval(() => socket.write("X-Slow: 1\r\n"), 50);
  socket.on("close", () => clearInterval(timer));
};

const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
const codes = (answer: (code: number) => string, on: (code: number) => Handler, all: readonly number[]): Kind[] =>
  all.map((code) => [answer(code), { on: on(code) }]);

/** The verdict, the reason and the number of redirects; and the site. */
export type Kind = readonly [answer: string, site: Site];

export const KINDS: readonly Kind[] = [
  ...codes((code) => `alive ${code}`, status, [200, 204, 302]),
  ...codes(() => "alive 200", refuseHead, [400, 401, 403, 404, 405, 410, 500, 501, 503]),
  ...codes((code) => `dead ${code}`, status, [404, 410]),
  ...codes((code) => `unknown ${code}`, status, [400, 401, 403, 405, 418, 429, 451, 500, 502, 503, 504, 999]),
  ["alive 200", { on: first(2, 404) }],
  ["unknown 503", { on: first(2, 404, {}, status(503)) }],
  ["alive 200", { on: first(1, 429, { "retry-after": "3" }) }],
  ["alive 200", { on: first(2, 503, { "retry-after": "1" }) }],
  ["alive 200", { on: limitedUntil() }],
  ["unknown 429", { on: status(429, { "retry-after": "86400" }) }],
  ["unknown 429", { on: status(429, { "retry-after": "soon" }) }],
  ["unknown 429", { on: status(429, { "retry-after": "1" }) }],
  ["alive 200 5", { on: redirects(5, status(200)) }],
  ["unknown more than 5 redirects 5", { on: redirects(6, status(200)) }],
  ["dead 404 1", { on: redirects(1, status(404)) }],
  ["unknown redirects in a loop", { on: redirect("/") }],
  ["unknown redirects in a loop 4", { on: redirects(3, redirect("/3")) }],
  ...["ftp://x.test/", "javascript:1", "http://"].map((to): Kind => {
    return ["unknown redirects to something other than http", { on: redirect(to) }];
  }),
  ...["http://10.0.0.1/", "http://[::1]/", "http://[::ffff:a9fe:a9fe]/", "https://inside.test/"].map((to): Kind => {
    return ["unknown private address 1", { on: redirect(to) }];
  }),
  ["dead no such host 1", { on: redirect("https://missing.test/") }],
  ["alive 302 1", { on: redirect("https://go.test/a") }],
  ["unknown private address", "http://2130706433/"],
  ["unknown private address", "http://inside.test/"],
  ["unknown private address", "http://both.test/"],
  ["dead no such host", "https://missing.test/"],
  ["unknown no connection", "https://again.test/"],
  ["unknown never asked", "https://go.test/a"],
  ["unknown not an http or https address", "mailto:a@x.test"],
  ["alive 200", { on: refuseHead(405, (_request, response) => void response.writeHead(200).write("a")) }],
  ["alive 200", { on: refuseHead(405, hugeBody) }],
  ["unknown connection lost", { on: ({ socket }) => void socket.resetAndDestroy() }],
  ["alive 200", { on: (...call) => (call[2] === 0 ? call[0].socket.destroy() : status(200)(...call)) }],
  ["unknown connection lost", { onSocket: (socket) => void socket.resume().end("SSH-2.0-x\r\n") }],
  ["alive 200", { on: status(200), certificate: "good" }],
  [`dead certificate expired on ${yesterday}`, { on: status(200), certificate: "expired" }],
  ["dead certificate for another host", { on: status(200), certificate: "other" }],
  ["unknown no trusted connection", { on: status(200), certificate: "stranger" }],
];

/** They take as long as the time limit. */
export const SLOW: readonly Kind[] = [
  ["unknown timed out", { on: slowHeaders }],
  ["unknown timed out", { on: () => undefined }],
  ["unknown timed out", { onSocket: (socket) => void socket.resume(), certificate: "good" }],
];

/** An answer as in `Kind`. */
export function brief({ verdict, reason, redirects: followed }: Answer): string {
  return [verdict, reason, ...(followed.length > 0 ? [followed.length] : [])].join(" ");
}

/** The addresses of hosts without a server. */
const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  "inside.test": ["192.168.1.1"],
  "both.test": ["127.77.0.1", "fd00::1"],
  "go.test": ["127.77.0.1"],
};

export class Network {
  readonly clock: Clock;
  /** Everything impolite that was done to a server. */
  readonly faults: string[] = [];
  /** The bytes of huge bodies that were sent. */
  bytes = 0;
  requests = 0;
  /** The most requests at the same time. */
  most = 0;
  #unanswered: (readonly [host: string, socket: Socket])[] = [];
  readonly #addresses = new Map(Object.entries(ADDRESSES));
  #certificates: Certificates | null = null;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Starts a server of each kind. Resolves to the expected answers, by the address to ask. */
  async addAll(kinds: readonly Kind[]): Promise<Map<string, string>> {
    const expected = new Map<string, string>();
    for (const [answer, site] of kinds) expected.set(await this.add(site), answer);
    return expected;
  }

  /** Asks these addresses on this network. The answers are in their order. */
  async ask(urls: readonly string[], options: Partial<AskOptions> = {}): Promise<Map<string, Answer>> {
    const { clock, lookup } = this;
    const allowed = new BlockList();
    allowed.addSubnet("127.77.0.0", 16);
    const { signal } = new AbortController();
    const own = { clock, signal, allowed, lookup, deadline: null, version: "1.2.3", never: new Set(["go.test"]) };
    const answers = new Map<string, Answer>();
    const onAnswer = (url: string, answer: Answer): unknown => answers.set(url, answer);
    await askAll(urls, { ...own, env: {}, onAnswer, ...options });
    return new Map(urls.map((url) => [url, answers.get(url) ?? expect.fail(url)]));
  }

  readonly lookup = async (host: string): Promise<readonly LookupAddress[]> => {
    const code = host === "again.test" ? "EAI_AGAIN" : "ENOTFOUND";
    const found = this.#addresses.get(host);
    if (found === undefined) throw Object.assign(new Error(host), { code });
    return found.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  };

  /** Starts a server on a new address, with the name `hN.net.test`. Resolves to the address to ask. */
  async add(site: Site | Handler): Promise<string> {
    const at = this.#addresses.size;
    const [host, address] = [`h${at}.net.test`, `127.77.${1 + Math.floor(at / 250)}.${1 + (at % 250)}`];
    this.#addresses.set(host, [address]);
    // A fragment makes them different.
    if (typeof site === "string") return `${site}#${at}`;
    const { certificate = null, ...how } = typeof site === "function" ? { on: site } : site;
    if (certificate !== null) this.#certificates ??= await makeCertificates();
    let before = 0;
    const answer = (request: IncomingMessage, response: ServerResponse): void => {
      if ("on" in how) how.on(request, response, before++, this);
    };
    const secure = certificate === null ? null : this.#certificates?.[certificate];
    const plain = secure ? createSecureServer(secure, answer) : createServer(answer);
    const server = "onSocket" in how ? createTcpServer(how.onSocket) : plain;
    this.#watch(server, host);
    server.listen(0, address);
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const bound = server.address();
    if (typeof bound !== "object" || bound === null) throw new Error("no port");
    return `http${certificate === null ? "" : "s"}://${host}:${bound.port}/`;
  }

  /** Counts connections, because each request has its own. */
  #watch(server: Server, host: string): void {
    let last = -Infinity;
    server.on("connection", (socket: Socket) => {
      this.requests += 1;
      this.#unanswered = this.#unanswered.filter(([, one]) => !one.destroyed && one.bytesWritten === 0);
      if (this.#unanswered.some(([other]) => other === host)) this.faults.push(`${host} got two requests at once`);
      this.#unanswered.push([host, socket]);
      this.most = Math.max(this.most, this.#unanswered.length);
      const now = this.clock.now();
      if (now - last < 500) this.faults.push(`${host} got a request ${now - last} ms after another one`);
      last = now;
      socket.on("error", () => undefined);
    });
  }
}

/** Makes certificates of an authority that this test trusts, and one of another authority. */
async function makeCertificates(): Promise<Certificates> {
  const folder = await temporaryFolder();
  const openssl = (args: string): void => void execFileSync("openssl", args.split(" "), { cwd: folder, stdio: "pipe" });
  const read = (file: string): Promise<string> => readFile(path.join(folder, file), "utf8");
  const key = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes";
  const make = async (name: string, authority: string, hosts: string, days: number) => {
    openssl(`req ${key} -subj /CN=${name} -addext subjectAltName=DNS:${hosts} -keyout ${name}.key -out ${name}.csr`);
    const sign = `-CA ${authority}.pem -CAkey ${authority}.key -CAcreateserial -copy_extensions copy`;
    openssl(`x509 -req -in ${name}.csr ${sign} -days ${days} -out ${name}.pem`);
    return { key: await read(`${name}.key`), cert: await read(`${name}.pem`) };
  };
  for (const name of ["trusted", "unknown"])
    openssl(`req -x509 ${key} -subj /CN=${name} -days 2 -keyout ${name}.key -out ${name}.pem`);
  const made = {
    good: await make("good", "trusted", "*.net.test", 2),
    expired: await make("expired", "trusted", "*.net.test", -1),
    other: await make("other", "trusted", "*.other.test", 2),
    stranger: await make("stranger", "unknown", "*.net.test", 2),
  };
  const ca = await read("trusted.pem");
  const create = tls.createSecureContext;
  const spy = vi.spyOn(tls, "createSecureContext").mockImplementation((options) => create({ ca, ...options }));
  onTestFinished(() => spy.mockRestore());
  return made;
}
