// What an explanation took for granted, in sentences: what the files leave open, and what nobody says.

import { nameVersions, type Doubt } from "../domain/visit.ts";
import { groupBy } from "../domain/collections.ts";
import { fieldAt } from "../domain/table.ts";
import { wireOf } from "../domain/wire.ts";
import { byVersion } from "./explain-outcome.ts";
import type { ExplainedSide } from "./explanation.ts";

/**
 * What is not known of the steps that the visit came to. Other versions of the service count only if their answers differ, and not for
 * fields that the version in the answer does not have.
 */
export function doubtsOf({ found }: ExplainedSide): readonly Doubt[] {
  if (found.is !== "link") return [];
  const differing = byVersion(found);
  const doubts = (differing.length === 0 ? [found] : differing)
    .flatMap(({ visit }) => visit.steps)
    .flatMap((step) => (step.isReached ? step.doubts : []))
    .filter(({ path }) => {
      const row = fieldAt("link", path);
      return row === undefined || wireOf(row, found.version) !== null;
    });
  return [...new Map(doubts.map((doubt) => [`${doubt.path} ${doubt.why}`, doubt])).values()];
}

/** The same in sentences, one for each kind. */
export function doubtTexts(side: ExplainedSide): string[] {
  const doubts = doubtsOf(side);
  const pathsOf = (why: Doubt["why"]): string[] => [
    ...new Set(doubts.filter((one) => one.why === why).map(({ path }) => path)),
  ];
  const named = (paths: readonly string[]): string => paths.map((path) => `\`${path}\``).join(", ");
  const [silent, kept, missing] = [pathsOf("silent"), pathsOf("kept"), pathsOf("not returned")];
  const unreadable = pathsOf("unreadable");
  const states = [...new Set(silent.flatMap((path) => fieldAt("link", path)?.opens?.state ?? []))];
  return [
    ...(states.length === 0
      ? []
      : [
          `The files don't say whether the link ${either(states)}. Silence leaves that as it is live; this answer takes it that it is not so. \`--both\` looks in the account.`,
        ]),
    ...(kept.length === 0
      ? []
      : [
          `\`unspecified: keep\` leaves ${named(kept)} as live, which no file shows; the answer assumes the default. \`--both\` looks in the account.`,
        ]),
    ...(missing.length === 0 ? [] : [`The service does not return ${named(missing)}; the answer assumes the default.`]),
    ...(unreadable.length === 0
      ? []
      : [`linkform cannot read ${named(unreadable)} from the service's answer; the answer assumes the default.`]),
    ...lackingTexts(side),
    ...(pathsOf("clicks").length === 0
      ? []
      : [
          "No file says how many clicks the link has had; here they are fewer than its limit. `--clicks N` tries another number.",
        ]),
    ...(pathsOf("zone").length === 0
      ? []
      : [
          "The files don't say in which time zone their dates are, and it is close: here they are in UTC. `service.account_timezone` says it.",
        ]),
  ];
}

/** What versions of the service cannot express, one sentence for versions that lack the same. */
function lackingTexts({ found }: ExplainedSide): string[] {
  if (found.is !== "link") return [];
  const groups = groupBy(found.lacking, ({ because }) => because.join(", and "));
  return [...groups].map(([because, lacking]) => {
    const versions = nameVersions(lacking.map(({ version }) => version));
    return `On ${versions} a plan of this link fails, because the service ${because}.`;
  });
}

/** `is disabled, has a password or has expired`. */
function either(states: readonly string[]): string {
  const last = states.at(-1) ?? "";
  return states.length < 2 ? last : `${states.slice(0, -1).join(", ")} or ${last}`;
}
