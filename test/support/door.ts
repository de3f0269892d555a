// A listening socket on 127.0.0.1 that can refuse connections for a while.

import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { createServer, Socket, type Server } from "node:net";
import { setImmediate } from "node:timers/promises";
import type { Clock } from "../../src/domain/clock.ts";

const HOST = "127.0.0.1";

/** A port that the system gave, it may give to somebody else while nobody listens on it. From here on it gives none. */
const RESERVED = 20_000;
let nextReserved = RESERVED + Math.floor(Math.random() * 5000);
/** ms from the first refused connection to a door that is open again. */
const SHUT_FOR = 200;

/** Told of every connection that this process begins. */
const CHANNEL = "net.client.socket";

export class Door {
  readonly #server: Server;
  readonly #clock: Clock;
  readonly #sockets = new Set<Socket>();
  #port = 0;
  #entered = 0;
  #hasRefused = false;

  /** `enter` is given every connection. */
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

  /** Opens on a free port; on one that can be opened again if it is to be shut in between. */
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
   * Shuts until a connection has been refused. Those that stand go on. With several side by side it is not certain which
   * one is refused: the first that comes when the door is shut, and whoever comes before it is open again.
   */
  async shut(): Promise<void> {
    // Who has knocked already is let in, one in each turn of the loop: the system would reset them, which is another fault.
    let entered: number;
    do {
      entered = this.#entered;
      // The first may end within the turn that goes on, the second does not.
      await setImmediate();
      await setImmediate();
    } while (this.#entered > entered);
    subscribe(CHANNEL, this.#watch);
    this.#server.close();
  }

  /** Ends open connections too. */
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

  /** A server is not told of whom it refuses; but who is refused is in this process. */
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
