// A session with the service: the project's address, the key, the time limit, and a connection that is always closed.

import type { DeclaredSoftware } from "../domain/software.ts";
import type { Project } from "../domain/project.ts";
import { UserError, type ExitCode } from "../errors.ts";
import { readProxy } from "../http/proxies.ts";
import { Transport, type TransportOptions, type Notice } from "../service/transport.ts";
import { chooseBaseUrl, declaredIn, allowManyListeners, readApiKey, type ServiceFlags } from "./connect.ts";
import type { Console } from "./console.ts";
import type { CommonFlags, World } from "./context.ts";
import { openProject, type OpenedProject } from "./project.ts";

/** The options of a session, from a command or from the caller of the library. */
export interface SessionOptions extends Pick<TransportOptions, "maxWait" | "tell" | "onPage"> {
  readonly world: Pick<World, "env" | "version" | "clock" | "signal" | "turn">;
  /** Called before the connection is opened. Throws a user error if there is no usable key. */
  readonly apiKey: (baseUrl: string) => string | Promise<string>;
  readonly onOpen?: (transport: Transport) => void;
  readonly onClose?: () => void;
}

/** Opens the connection; call it once. Throws a user error for a key or proxy that cannot be used. */
type OpenConnection = (baseUrl: string, software: DeclaredSoftware | null) => Promise<Transport>;

/** Runs `use` with a function that opens a connection, and closes the connection afterwards. */
export async function openSession<Result>(
  { world, apiKey, onOpen, onClose, ...options }: SessionOptions,
  use: (connect: OpenConnection) => Promise<Result>,
): Promise<Result> {
  const { env, version, clock, turn } = world;
  const signal = allowManyListeners(world.signal);
  const opened: Transport[] = [];
  try {
    return await use(async (baseUrl, software) => {
      const key = await apiKey(baseUrl);
      const proxy = readProxy(baseUrl, env);
      const about = { ...options, version, clock, baseUrl, software, apiKey: key, proxy, signal };
      const transport = new Transport(about, (await turn?.connect(about)) ?? null);
      opened.push(transport);
      onOpen?.(transport);
      return transport;
    });
  } finally {
    onClose?.();
    for (const transport of opened) await transport.close();
  }
}

/** A command that connects to the service. */
type ServiceConsole = Console<CommonFlags & ServiceFlags>;

/** The session options of a command: its flags and environment. It shows progress and notices on stderr. */
export function sessionOptions(
  out: ServiceConsole,
  { world, flags }: Pick<ServiceConsole, "world" | "flags"> = out,
): SessionOptions {
  return {
    world,
    maxWait: flags.maxWait ?? null,
    apiKey: (baseUrl) => readApiKey(flags, world, baseUrl),
    tell: (notice) => out.remark(noticeText(notice)),
    onPage: (progress) => out.progress.list(progress),
    onOpen: (transport) => {
      out.record?.follow(transport);
      out.progress.start();
    },
    onClose: () => out.progress.stop(),
  };
}

/** A connection to the service. */
export interface Connected {
  readonly baseUrl: string;
  readonly transport: Transport;
}

/** Connects to the service of a project; call it once. Without an address in the files, a flag or variable must name it. */
export type Connect = (
  project: Pick<Project, "software"> & { readonly baseUrl: Project["baseUrl"] | null },
) => Promise<Connected>;

/** Runs `use` with a session and returns its exit code. A refusal, a user or a service error is reported with the address, if it was known. */
export function runSession(out: ServiceConsole, use: (connect: Connect) => Promise<ExitCode>): Promise<ExitCode> {
  const { flags, world } = out;
  return out.run(() =>
    openSession(sessionOptions(out), async (connect) =>
      use(async ({ baseUrl: named, software }) => {
        const baseUrl = chooseBaseUrl(named, flags, world.env);
        out.baseUrl = baseUrl;
        return { baseUrl, transport: await connect(baseUrl, declaredIn({ software })) };
      }),
    ),
  );
}

/** A connection of a command that plans nothing. */
export interface Access extends Connected {
  /** Null if there is no project file, and a flag or variable names the address. Its files may have mistakes. */
  readonly opened: OpenedProject | null;
}

/** Connects with the project, if there is one. Without a project that names an address, `--base-url` or LINKFORM_BASE_URL must name it. */
export async function openAccess({ world, flags }: ServiceConsole, connect: Connect): Promise<Access> {
  const opened = await openOptional(world, flags);
  const software = opened?.project?.software ?? null;
  return { opened, ...(await connect({ baseUrl: opened?.address ?? null, software })) };
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
