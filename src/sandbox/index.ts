// Starts the sandbox, a stateful imitation of the link shortening service in this process.
import { createApp, type App, type DeletePath } from "./app.ts";
import { percent } from "./forms.ts";
import { DEFAULT_KEY } from "./page.ts";
import { DIALECTS, type Software } from "./service.ts";
import { initialState } from "./seed.ts";
import type { SeedState, State } from "./state.ts";
import { Store } from "./store.ts";
import { isZone } from "./zone.ts";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Reply } from "./reply.ts";

export type { DeletePath } from "./app.ts";
export { SOFTWARE, type Software } from "./service.ts";
export type {
  Account,
  ActiveGroup,
  Domain,
  Entry,
  Features,
  Group,
  Link,
  Pixel,
  Row,
  Seed,
  SeedState,
  Space,
  State,
} from "./state.ts";

export interface SandboxOptions {
  /** Default 0: any free one. Always on 127.0.0.1. */
  readonly port?: number;
  /** JSON file of the state: loaded if it exists, replaced before each write is acknowledged. */
  readonly data?: string;
  /** JSON file or object: the initial state if there is no data file. */
  readonly seed?: string | SeedState;
  /**
   * Requests a minute for each client address, on the clock of `now`, including failed authentication. The account's limit is twice that. 0: no limit.
   * Default 60.
   */
  readonly rateLimit?: number;
  /** Default "api", as observed. */
  readonly deletePath?: DeletePath;
  /** The account's zone. Default: that of the data or seed, else UTC. */
  readonly timezone?: string;
  /** Default "4.1", the version that the documentation describes. */
  readonly software?: Software;
  /** Default "sandbox-key". */
  readonly apiKey?: string;
  /** Default: the system's clock. */
  readonly now?: () => Date;
}

export interface Sandbox {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  readonly port: number;
  readonly apiKey: string;
  /** Every request in the order of arrival, the last 100,000 of them. */
  readonly requests: readonly LoggedRequest[];
  /** A deep copy of the stored state. */
  state(): State;
  /** Also ends open connections. */
  close(): Promise<void>;
}

/** @throws Error, one sentence, for an unknown zone, a malformed seed or data file, or a port that is taken */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { apiKey = DEFAULT_KEY, software = "4.1", timezone } = options;
  const now = (): string => (options.now?.() ?? new Date()).toISOString();
  if (timezone !== undefined && !isZone(timezone)) throw new Error(`"${timezone}" is not a known time zone.`);
  const initial = initialState(options.data, options.seed, now());
  const account = { ...initial.account, ...(timezone !== undefined && { timezone }) };
  const store = new Store({ ...initial, account }, options.data);
  store.commit();

  const { rateLimit = 60, deletePath = "api" } = options;
  const requests: LoggedRequest[] = [];
  const app = createApp({ store, software, dialect: DIALECTS[software], now }, { apiKey, rateLimit, deletePath });
  const server = createHttpServer(app, requests);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The sandbox listens on no port.");
  const { port } = address;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    apiKey,
    requests,
    state: () => structuredClone(store.state()),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export interface LoggedRequest {
  readonly method: string;
  /** Including the query. */
  readonly path: string;
  /** The status of the response; 0 without one. */
  readonly status: number;
  readonly body: string;
  /** By their lowercase names. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** The maximum of PHP (`post_max_size`). More is a 413. */
const MAX_BODY = 8 * 1024 * 1024;
const MAX_LOGGED = 100_000;

/** A server that does not listen yet. A complete request is processed even if the client has disconnected. */
function createHttpServer(app: App, log: LoggedRequest[]): Server {
  return createServer((request, response) => {
    const { method = "", url: path = "", headers } = request;
    const entry = { method, path, status: 0, body: "", headers };
    log.push(entry);
    if (log.length > MAX_LOGGED) log.shift();
    readBody(request, (body) => {
      entry.body = body?.toString() ?? "";
      const reply = app(request, body);
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
  // As bytes, because Node would encode the headers again together with a text.
  const bytes = Buffer.from(body);
  response.writeHead(status, { ...Object.fromEntries(sent), "content-length": bytes.length });
  response.end(bytes);
}

/** UTF-8, like stored destinations. Characters that would end the header are encoded. */
function headerBytes(value: string): string {
  const bytes = Buffer.from(value).toString("latin1");
  return bytes.replace(/\p{Cc}/gu, (byte) => (byte < " " || byte === "\x7f" ? percent(byte) : byte));
}
