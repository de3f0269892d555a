// The way to the service for commands that read it and plan nothing, with or without a project.

import { UserError, type ExitCode } from "../errors.ts";
import type { FailureReport } from "../view/report.ts";
import type { Transport } from "../service/transport.ts";
import { chooseBaseUrl, limitTime, openTransport, pinnedBaseUrl, type ServiceFlags } from "./connect.ts";
import type { Console } from "./console.ts";
import type { CommonFlags, World } from "./context.ts";
import { refuseFor } from "./prepare.ts";
import { openProject, type OpenedProject } from "./project.ts";

/** A service that can be spoken to. */
export interface Access {
  /** Null where there is no project file, and an address was given without one. Its files may have mistakes. */
  readonly opened: OpenedProject | null;
  readonly baseUrl: string;
  readonly transport: Transport;
}

/**
 * Finds the service and hands it to `proceed`, whose exit code it returns. The address is the project's; without a project, or with one that
 * does not say it, it must be given. `known`: the project, where it has been opened. Whatever user or service error is thrown is
 * said here.
 */
export async function withAccess(
  world: World,
  flags: CommonFlags & ServiceFlags,
  out: Console,
  command: FailureReport["command"],
  proceed: (access: Access) => Promise<ExitCode>,
  known: OpenedProject | null = null,
): Promise<ExitCode> {
  const ending = limitTime(world, flags.timeout);
  let baseUrl: string | null = null;
  let transport: Transport | null = null;
  try {
    const opened = known ?? (await openIfThere(world, flags));
    const address = opened?.address ?? null;
    baseUrl =
      address === null ? pinnedBaseUrl(flags, world.env) : chooseBaseUrl({ baseUrl: address }, flags, world.env);
    transport = await openTransport(
      world,
      flags,
      { baseUrl, software: opened?.project?.software ?? null, signal: ending.signal },
      out,
    );
    return await proceed({ opened, baseUrl, transport });
  } catch (cause) {
    return await refuseFor(out, command, baseUrl, cause);
  } finally {
    out.progress.stop();
    ending.done();
    await transport?.close();
  }
}

/** The project, where there is one; one that is named must be there. */
async function openIfThere(world: World, flags: CommonFlags): Promise<OpenedProject | null> {
  try {
    return await openProject(world, flags);
  } catch (cause) {
    if (cause instanceof UserError && cause.code === "no-project" && flags.config === undefined) return null;
    throw cause;
  }
}
