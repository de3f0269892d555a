// The flags of `linkform init`, and the check for contradictions.

import { usageError } from "../errors.ts";
import type { ServiceFlags } from "../session/connect.ts";
import type { Console } from "../session/console.ts";
import type { CommonFlags, World } from "../session/context.ts";
import type { Questions } from "../session/questions.ts";

export interface InitFlags extends CommonFlags, ServiceFlags {
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly offline?: boolean;
  /** Each is `NAME` or `NAME=ID`. */
  readonly domain?: readonly string[];
  readonly space?: readonly string[];
  readonly ci?: "github" | "gitlab" | "none";
  readonly ciSource?: string;
  readonly ciImage?: string;
  readonly pull?: boolean;
}

export interface InitContext {
  readonly world: World;
  readonly flags: InitFlags;
  readonly out: Console<InitFlags>;
  /** Null without a terminal, or with `--yes`. */
  readonly ask: Questions | null;
}

/** Throws a user error for flags that contradict each other or need another flag. */
export function checkFlags(flags: InitFlags): void {
  const { pull, offline, ci, ciSource, ciImage } = flags;
  if (pull === true && offline === true)
    throw usageError("pull-and-offline", "`--pull` connects to the service, which `--offline` forbids.", {
      hint: "Remove one of them.",
    });
  const alone = ciSource !== undefined ? "--ci-source" : ciImage !== undefined ? "--ci-image" : null;
  if (alone !== null && (ci === undefined || ci === "none"))
    throw usageError("ci-flag-alone", `\`${alone}\` needs --ci.`, { hint: "Add --ci github or --ci gitlab." });
}
