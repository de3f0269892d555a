// Ctrl-C, and what pipelines send instead: the first one asks for an end, the second one is it.

import { EXIT, UserError } from "../errors.ts";

/**
 * A signal that is aborted by the first SIGINT or SIGTERM; `onFirst` is told. The second one calls `onSecond`, which ends
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
      new UserError("interrupted", "It was interrupted.", {
        hint: "Run again: what was applied stays, the rest is planned anew.",
        exit: EXIT.interrupted,
      }),
    );
  };
  process.on("SIGINT", interrupt);
  process.on("SIGTERM", interrupt);
  return controller.signal;
}
