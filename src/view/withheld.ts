// What the files ask for and the plan leaves out, and why.

import type { Plan, Withheld } from "../domain/change.ts";
import { plural } from "./counts.ts";
import { visible } from "../domain/control-characters.ts";

const BECAUSE = {
  target: "not among those that --target names",
  exclude: "left out by --exclude",
  allow: "of a kind that `allow` in the project file does not name",
  waits: "waiting for one that is left out",
} as const;

type Because = keyof typeof BECAUSE;

/** Why a change is left out, as one word. */
export function whyWithheld({ because }: Withheld): Because {
  return typeof because === "string" ? because : "waits";
}

/** Those that are left out for one reason. */
export interface LeftOut {
  /** The end of "3 of them …". */
  readonly reason: string;
  readonly those: readonly Withheld[];
}

/** What is left out, by reason. */
export function leftOut({ withheld }: Pick<Plan, "withheld">): LeftOut[] {
  return (["target", "exclude", "allow", "waits"] as const).flatMap((reason) => {
    const those = withheld.filter((one) => whyWithheld(one) === reason);
    return those.length === 0 ? [] : [{ reason: BECAUSE[reason], those }];
  });
}

/** What one of them waits for, behind a comma; empty where it waits for nothing. */
export function waitsFor({ because }: Withheld): string {
  if (typeof because === "string") return "";
  const end = because.action === "delete" ? "the deletion of " : "";
  return `, for ${end}${because.kind} ${visible(because.key)}`;
}

/** `Partial plan: 3 changes are left out.` */
export function partialText({ withheld }: Pick<Plan, "withheld">): string {
  return `Partial plan: ${plural(withheld.length, "change")} ${withheld.length === 1 ? "is" : "are"} left out.`;
}
