// `linkform sandbox`: runs the embedded service until it is interrupted.

import { UserError, EXIT, type ExitCode } from "../errors.ts";
import { startSandbox, type SandboxOptions } from "../sandbox/index.ts";
import type { World } from "../session/context.ts";

/** Runs until `stopped` resolves. Returns 0, because an interruption is its normal end. */
export async function sandbox(world: World, flags: SandboxOptions, stopped: Promise<unknown>): Promise<ExitCode> {
  const running = await startSandbox(flags).catch((cause: unknown) => {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new UserError("sandbox-start", message, { hint: "Correct the flag, or the file that it names.", cause });
  });
  world.stdout.write(
    `The sandbox listens on ${running.url}\n\n` +
      `    export LINKFORM_API_KEY=${running.apiKey}\n` +
      `    linkform plan --base-url ${running.url}\n\n` +
      `Open ${running.url}/ to see its links and pixels, and to visit links.\n` +
      `It keeps its state in ${flags.data ?? "memory"}. Press Ctrl-C to stop it.\n`,
  );
  await stopped;
  await running.close();
  return EXIT.done;
}
