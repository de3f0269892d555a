// A session with the service: the project's address, the key, the time limit, and a connection that is always closed.

import type { DeclaredSoftware } from "../domain/software.ts";
import type { Diagnostic } from "../domain/diagnostic.ts";
import type { Project } from "../domain/project.ts";
import { diagnosticOf } from "../config/located-error.ts";
import { EXIT, UserError, type ExitCode } from "../errors.ts";
import { readProxies } from "../http/proxies.ts";
import { Transport, type TransportOptions, type Notice } from "../service/transport.ts";
import { severityCounts } from "../report/compose-findings.ts";
import { NOTHING_DONE, type FailureReport } from "../report/report.ts";
import {
  chooseBaseUrl,
  declaredIn,
  allowManyListeners,
  pinnedBaseUrl,
  readApiKey,
  type ServiceFlags,
} from "./connect.ts";
import type { Console } from "./console.ts";
import { exitOf, type CommonFlags, type World } from "./context.ts";
import { openProject, type OpenedProject } from "./project.ts";

/** The options of a session, from a command or from the caller of the library. */
export interface SessionOptions
  extends
    Pick<World, "env" | "version" | "clock" | "signal" | "turn">,
    Pick<TransportOptions, "maxWait" | "tell" | "onPage"> {
  /** Called before the connection is opened. Throws a user error if there is no usable key. */
  readonly apiKey: (baseUrl: string) => string | Promise<string>;
  readonly onOpen?: (transport: Transport) => void;
  readonly onClose?: () => void;
}

export interface Session {
  /** Aborted when no new request may be sent. */
  readonly signal: AbortSignal;
  /** Opens the connection; call it once. Throws a user error for a key or proxy that cannot be used. */
  readonly connect: (baseUrl: string, software: DeclaredSoftware | null) => Promise<Transport>;
}

/** Runs `use` with a session, and closes the connection afterwards. */
export async function openSession<Result>(
  { apiKey, onOpen, onClose, ...options }: SessionOptions,
  use: (session: Session) => Promise<Result>,
): Promise<Result> {
  const signal = allowManyListeners(options.signal);
  let transport: Transport | null = null;
  const connect: Session["connect"] = async (baseUrl, software) => {
    const key = await apiKey(baseUrl);
    const proxies = readProxies(baseUrl, options.env);
    const about = { ...options, baseUrl, software, apiKey: key, proxies, signal };
    transport = new Transport(about, (await options.turn?.connect(about)) ?? null);
    onOpen?.(transport);
    return transport;
  };
  // TypeScript does not see that `connect` assigns it.
  const opened = (): Transport | null => transport;
  try {
    return await use({ signal, connect });
  } finally {
    onClose?.();
    await opened()?.close();
  }
}

/** The session options of a command: its flags and environment. It shows progress and notices on stderr. */
export function sessionOptions(world: World, flags: ServiceFlags, out: Console): SessionOptions {
  const { env, version, clock, signal, turn } = world;
  return {
    env,
    version,
    clock,
    signal,
    ...(turn !== undefined && { turn }),
    maxWait: flags.maxWait ?? null,
    apiKey: (baseUrl) => readApiKey(flags, world, baseUrl),
    tell: (notice) => {
      const isShown = notice.what === "wait" && out.progress.wait(notice.seconds, notice.why);
      if (!isShown) out.remark(noticeText(notice));
    },
    onPage: (progress) => out.progress.list(progress),
    onOpen: (transport) => {
      out.record?.follow(transport);
      out.progress.start();
    },
    onClose: () => out.progress.stop(),
  };
}

/** Why a command does nothing: all the reasons, and the exit code. */
export class Refusal extends Error {
  readonly diagnostics: readonly Diagnostic[];
  readonly exit: ExitCode;

  constructor(diagnostics: readonly Diagnostic[], exit: ExitCode = EXIT.error) {
    super("refused");
    this.diagnostics = diagnostics;
    this.exit = exit;
  }
}

/** A connection to the service. */
export interface Connected {
  readonly baseUrl: string;
  readonly transport: Transport;
  /** Aborted when no new request may be sent: interrupted, or out of time. */
  readonly signal: AbortSignal;
}

/** Connects to the service of a project; call it once. Without an address in the files, a flag or variable must name it. */
export type Connect = (
  project: Pick<Project, "software"> & { readonly baseUrl: Project["baseUrl"] | null },
) => Promise<Connected>;

/** Runs `use` with a session and returns its exit code. A refusal, a user or a service error is reported with the address, if it was known. */
export function runSession(
  world: World,
  flags: ServiceFlags,
  out: Console,
  command: FailureReport["command"],
  use: (connect: Connect) => Promise<ExitCode>,
): Promise<ExitCode> {
  return openSession(sessionOptions(world, flags, out), async ({ signal, connect }) => {
    let address: string | null = null;
    const connectTo: Connect = async ({ baseUrl: named, software }) => {
      const baseUrl =
        named === null ? pinnedBaseUrl(flags, world.env) : chooseBaseUrl({ baseUrl: named }, flags, world.env);
      address = baseUrl;
      return { baseUrl, transport: await connect(baseUrl, declaredIn({ software })), signal };
    };
    try {
      return await use(connectTo);
    } catch (cause) {
      return await refuseFor(out, command, address, cause);
    }
  });
}

/** An open connection, with or without a project. */
export interface Access {
  /** Null if there is no project file, and a flag or variable names the address. Its files may have mistakes. */
  readonly opened: OpenedProject | null;
  readonly baseUrl: string;
  readonly transport: Transport;
}

/**
 * Connects a command that plans nothing, and returns the exit code of `proceed`. The address is the project's. Without a project,
 * or if the project names no address, `--base-url` or LINKFORM_BASE_URL must name it. `known` is the project if it is open already.
 */
export function withAccess(
  world: World,
  flags: CommonFlags & ServiceFlags,
  out: Console,
  command: FailureReport["command"],
  proceed: (access: Access) => Promise<ExitCode>,
  known: OpenedProject | null = null,
): Promise<ExitCode> {
  return runSession(world, flags, out, command, async (connect) => {
    const opened = known ?? (await openOptional(world, flags));
    const software = opened?.project?.software ?? null;
    const { baseUrl, transport } = await connect({ baseUrl: opened?.address ?? null, software });
    return proceed({ opened, baseUrl, transport });
  });
}

/** The project, or null if there is none. A project file that `--config` names must exist. */
export async function openOptional(world: World, flags: CommonFlags): Promise<OpenedProject | null> {
  try {
    return await openProject(world, flags);
  } catch (cause) {
    if (cause instanceof UserError && cause.code === "no-project" && flags.config === undefined) return null;
    throw cause;
  }
}

/** Reports a refusal, a user or a service error and returns its exit code. Throws anything else. */
export async function refuseFor(
  out: Console,
  command: FailureReport["command"],
  baseUrl: string | null,
  cause: unknown,
): Promise<ExitCode> {
  out.progress.stop();
  if (cause instanceof Refusal) return refuse(out, command, baseUrl, cause.diagnostics, cause.exit);
  const problem = diagnosticOf(cause);
  if (problem === null) throw cause;
  return refuse(out, command, baseUrl, [problem], exitOf(cause));
}

/** Reports why the command did nothing, and returns `exit`. With `--format json`, the document has only the diagnostics. */
export async function refuse(
  out: Console,
  command: FailureReport["command"],
  baseUrl: string | null,
  diagnostics: readonly Diagnostic[],
  exit: ExitCode,
): Promise<ExitCode> {
  out.findings(diagnostics);
  if (!out.isDocument) out.note(`${severityCounts(diagnostics)}: ${NOTHING_DONE[command].replace(/^N/, "n")}.\n`);
  return out.conclude({ of: "failure", command, diagnostics, baseUrl }, () => exit);
}

function noticeText(notice: Notice): string {
  switch (notice.what) {
    case "wait":
      return notice.why === "limit"
        ? `Waiting ${notice.seconds} s for the rate limit.`
        : `The service does not respond. Waiting ${notice.seconds.toFixed(1)} s.`;
    case "retry":
      return `${notice.because} Retrying in ${notice.seconds.toFixed(1)} s.`;
    case "reread":
      return `The list ${notice.path} changed while linkform read it (${notice.because}). Reading it again.`;
    default:
      return notice satisfies never;
  }
}
