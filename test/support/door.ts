// A listening socket on 127.0.0.1 that can refuse connections for a while.

import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { createServer, Socket, type Server } from "node:net";
import { setImmediate } from "node:timers/promises";
import type { Clock } from "../../src/domain/clock.ts";

const HOST = "127.0.0.1";

/** The next port. The system could give a port of its own choice to others while it is closed. */
const RESERVED = 20_000;
let nextReserved = RESERVED + Math.floor(Math.random() * 5000);
/** The ms from the first refused connection until the port is open again. */
const SHUT_FOR = 200;

/** Listeners for all connections that this process opens. */
const CHANNEL = "net.client.socket";

export class Door {
  readonly #server: Server;
  readonly #clock: Clock;
  readonly #sockets = new Set<Socket>();
  #port = 0;
  #entered = 0;
  #hasRefused = false;

  /** `enter` gets every connection. */
  constructor(clock: Clock, enter: (socket: Socket) => void) {
    this.#clock = clock;
    this.#server = createServer((socket) => {
      this.#entered += 1;
      this.#sockets.add(socket);
      socket.once("close", () => this.#sockets.delete(socket));
      enter(socket);
    });
  }

  get url(): string {
    return `http://${HOST}:${this.#port}`;
  }

  /** Whether a connection of this process was refused here. */
  get hasRefused(): boolean {
    return this.#hasRefused;
  }

  /** Opens on a free port, or on one that can be closed and opened again. */
  async open(willShut: boolean): Promise<void> {
    for (;;) {
      this.#port = willShut ? nextReserved++ : 0;
      try {
        await this.#listen();
        return;
      } catch (cause) {
        if (!(cause instanceof Error && "code" in cause && cause.code === "EADDRINUSE")) throw cause;
      }
    }
  }

  /**
   * Closes until a connection is refused. Open connections stay. Of parallel connections, the first one after the port closes is refused,
   * and all before it opens again.
   */
  async shut(): Promise<void> {
    // Waiting connections are accepted first, one in each turn of the loop. The system would reset them, which is another fault.
    let entered: number;
    do {
      entered = this.#entered;
      // The first may end within the current turn, but the second does not.
      await setImmediate();
      await setImmediate();
    } while (this.#entered > entered);
    subscribe(CHANNEL, this.#watch);
    this.#server.close();
  }

  /** Also ends open connections. */
  close(): void {
    unsubscribe(CHANNEL, this.#watch);
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  async #listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(this.#port, HOST, () => {
        this.#server.off("error", reject);
        resolve();
      });
    });
    const address = this.#server.address();
    if (typeof address === "object" && address !== null) this.#port = address.port;
  }

  /** A server does not see refused connections, but they come from this process. */
  readonly #watch = (message: unknown): void => {
    if (typeof message !== "object" || message === null || !("socket" in message)) return;
    const { socket } = message;
    if (socket instanceof Socket) socket.once("error", (cause) => void this.#note(cause));
  };

  async #note(cause: Error): Promise<void> {
    if (!("code" in cause && cause.code === "ECONNREFUSED" && "port" in cause && cause.port === this.#port)) return;
    if (this.#hasRefused) return;
    this.#hasRefused = true;
    unsubscribe(CHANNEL, this.#watch);
    await this.#clock.sleep(SHUT_FOR);
    await this.#listen();
  }
}
