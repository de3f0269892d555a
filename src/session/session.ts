// Connections to the service: the project's address, the key, the time limit.

import type { DeclaredSoftware } from "../domain/software.ts";
import { emptyProject, type Project } from "../domain/project.ts";
import { errorsIn, warning, type Diagnostic } from "../domain/diagnostic.ts";
import { plural } from "../domain/words.ts";
import { UserError } from "../errors.ts";
import { readProxy } from "../http/exchange.ts";
import { connectReader, type Reader } from "../service/service.ts";
import { Transport, type TransportOptions, type Notice } from "../service/transport.ts";
import { chooseBaseUrl, declaredIn, allowManyListeners, readApiKey, type ServiceFlags } from "./connect.ts";
import type { Console } from "./console.ts";
import type { CommonFlags, World } from "./context.ts";
import { openProject, type OpenedProject } from "./project.ts";

/** The options are those of a command, or of the caller of the library. */
export async function openTransport(
  { env, version, clock, turn, signal }: Pick<World, "env" | "version" | "clock" | "signal" | "turn">,
  options: Omit<TransportOptions, "version" | "clock" | "proxy" | "signal">,
): Promise<Transport> {
  const proxy = readProxy(options.baseUrl, env);
  const about = { ...options, version, clock, proxy, signal: allowManyListeners(signal) };
  return new Transport(about, (await turn?.connect(about)) ?? null);
}

type ServiceConsole = Console<CommonFlags & ServiceFlags>;

export interface Connected {
  readonly baseUrl: string;
  readonly transport: Transport;
  readonly reader: Reader;
}

/** The console closes the connection. Throws a user error for a key or proxy that cannot be used. `init` passes a typed key. */
export async function connectTo(
  out: ServiceConsole,
  baseUrl: string,
  software: DeclaredSoftware | null,
  { world, flags }: Pick<ServiceConsole, "world" | "flags"> = out,
): Promise<Connected> {
  const transport = await openTransport(world, {
    baseUrl,
    software,
    apiKey: await readApiKey(flags, world, baseUrl),
    maxWait: flags.maxWait ?? null,
    tell: (notice) => out.remark(noticeText(notice)),
    onPage: (list, progress) => out.progress.list(list, progress),
  });
  out.connections.push(transport);
  out.progress.start();
  return { baseUrl, transport, reader: connectReader(transport) };
}

/** Connects a command to the service of a project. Without an address in the files, a flag or variable must name it. */
export async function connect(
  out: ServiceConsole,
  { baseUrl: named, software }: Pick<Project, "software"> & { readonly baseUrl: Project["baseUrl"] | null },
): Promise<Connected> {
  out.baseUrl = chooseBaseUrl(named, out.flags, out.world.env);
  return connectTo(out, out.baseUrl, declaredIn({ software }));
}

/** For a command that plans nothing. */
export interface Access extends Connected {
  /** An empty project if there are no files, or if they have errors. */
  readonly project: Project;
  readonly hasProject: boolean;
  /** A warning if the files have errors: these commands work without them. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Connects with the project, if there is one. Without a project that names an address, `--base-url` or LINKFORM_BASE_URL must name it. */
export async function openAccess(out: ServiceConsole): Promise<Access> {
  const opened = await openOptional(out.world, out.flags);
  const project = opened?.project ?? null;
  const software = project && project.software;
  const connected = await connect(out, { baseUrl: opened?.address ?? null, software });
  if (project !== null) return { ...connected, project, hasProject: true, diagnostics: [] };
  const access = { ...connected, project: emptyProject(connected.baseUrl), hasProject: false };
  if (opened === null) return { ...access, diagnostics: [] };
  const errors = plural(errorsIn(opened.diagnostics).length, "error");
  const message = `The files have ${errors}, so this output does not show what they declare.`;
  const hint = "Run `linkform validate` to see the errors.";
  return { ...access, diagnostics: [warning("files-broken", message, null, hint)] };
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
