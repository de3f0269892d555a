// From one request to its reply, without a socket: route, gate, handler, errors.
import type { IncomingHttpHeaders } from "node:http";
import { parseForm } from "./forms.ts";
import { createGate } from "./gate.ts";
import { answerPublic } from "./visit/public.ts";
import { FrameworkError, refused, type Reply, serverError } from "./reply.ts";
import { createRouter, type DeletePath } from "./router.ts";
import type { Service } from "./service.ts";

export interface Received {
  readonly method: string;
  /** Path and query, as sent. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  /** The client's. */
  readonly address: string;
  /** The one that the sandbox listens on. */
  readonly port: number;
  /** Null: more than the service takes. */
  readonly body: Buffer | null;
}

export interface AppOptions {
  readonly apiKey: string;
  readonly rateLimit: number;
  readonly rateWindow: number;
  readonly deletePath: DeletePath;
}

/** @returns the answer to a request; whatever it changes is stored when it returns */
export function createApp(service: Service, options: AppOptions): (received: Received) => Reply {
  const route = createRouter(options.deletePath, service.software);
  const gate = createGate(options.apiKey, options.rateLimit, options.rateWindow);
  return (received) => {
    const { method, target, headers, body } = received;
    const wantsJson = prefersJson(headers.accept);
    const origin = `http://${headers.host ?? "localhost"}`;
    const [path = "", rawQuery = ""] = target.split(/\?(.*)/s);
    return guarded(wantsJson, () => {
      if (body === null) throw new FrameworkError(413, "");
      const isForm = headers["content-type"]?.startsWith("application/x-www-form-urlencoded") === true;
      const form = parseForm(isForm ? body.toString("latin1") : "");
      const query = parseForm(rawQuery);
      const setting = { ...options, port: received.port };
      const answered = answerPublic({ method, path, rawQuery, query, form, headers }, service, setting);
      if (answered !== null) return answered;
      const { handler, id, open } = route(method, path);
      const run = (): Reply => handler({ service, id, query, form, origin, path });
      if (open) return run();
      const { authorization } = headers;
      const now = Date.parse(service.now());
      const { software } = service;
      const verdict = gate({ address: received.address, authorization, wantsJson, origin, now, software });
      const reply = verdict.refusal ?? guarded(wantsJson, hasApi(service) ? run : withoutFeature);
      const headersOfAll = software === "4.1" ? {} : { "access-control-allow-origin": "*" };
      return { ...reply, headers: { ...reply.headers, ...verdict.headers, ...headersOfAll } };
    });
  };
}

const hasApi = ({ store }: Service): boolean => store.account.features["api"] !== 0;

const withoutFeature = (): Reply => refused(403, "You don't have access to this feature.");

/** Errors become answers; one that nobody foresaw is a fault of the sandbox and is also reported on stderr. */
function guarded(wantsJson: boolean, run: () => Reply): Reply {
  try {
    return run();
  } catch (error) {
    if (error instanceof FrameworkError) return error.reply(wantsJson);
    process.emitWarning(error instanceof Error ? error : String(error));
    return serverError().reply(wantsJson);
  }
}

/** Is JSON the first type in `Accept`, by weight and then by place? */
function prefersJson(accept: string = ""): boolean {
  const weighed = accept.split(",").map((type) => ({ type, weight: Number(/;\s*q=([\d.]+)/.exec(type)?.[1] ?? 1) }));
  const [first] = weighed.toSorted((a, b) => b.weight - a.weight);
  return /[/+]json/.test(first?.type ?? "");
}
