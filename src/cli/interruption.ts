// Ctrl-C, and the signal that pipelines send: the first one asks the run to end, the second one ends the process.

import { EXIT, UserError } from "../errors.ts";

/**
 * Returns a signal that the first SIGINT or SIGTERM aborts after calling `onFirst`. The second one calls `onSecond`, which ends
 * the process.
 */
export function interruption(
  process: { on(name: "SIGINT" | "SIGTERM", handler: () => void): unknown },
  onFirst: () => void,
  onSecond: () => void,
): AbortSignal {
  const controller = new AbortController();
  const interrupt = (): void => {
    if (controller.signal.aborted) return onSecond();
    onFirst();
    controller.abort(
      new UserError("interrupted", "The run was interrupted.", {
        hint: "Run the command again. If it applied changes, they stay, and the rest is planned again.",
        exit: EXIT.interrupted,
      }),
    );
  };
  process.on("SIGINT", interrupt);
  process.on("SIGTERM", interrupt);
  return controller.signal;
}
