// What `check` reports about a destination: that it is dead, that its redirects end at another host, or that its answer is unknown.

import { groupBy } from "../domain/collections.ts";
import { info, type Diagnostic } from "../domain/diagnostic.ts";
import type { Project } from "../domain/project.ts";
import { levelOf, type WaivableRule } from "../domain/rules.ts";
import { plural, someOf } from "../domain/words.ts";
import type { Answer } from "./ask.ts";
import type { moveOf } from "./cache.ts";
import type { Use } from "./destinations.ts";

const MOST_LINKS = 10;

/** The findings about one destination: an alarm for each group of owners, because each has to do something. */
export function findingsAbout(
  uses: readonly Use[],
  { verdict, reason }: Answer,
  move: ReturnType<typeof moveOf>,
  rules: Project["policy"]["rules"],
): Diagnostic[] {
  const url = `\`${uses[0]?.url}\``;
  if (verdict === "unknown") return [atUses(uses, info("unknown-destination", `${url} is unknown: ${reason}.`, null))];
  if (verdict === "alive" && move === null) return [];
  const [rule, message, advice]: [WaivableRule, string, string] =
    verdict === "dead" || move === null
      ? ["dead-destination", `${url} is dead: ${reason}.`, "Correct the destination"]
      : [
          "destination-moved",
          `${url} now leads to the host \`${move.to}\`, before to \`${move.from}\`.`,
          "Look at the page. If it is right, write its address as the destination",
        ];
  const severity = levelOf(rule, rules);
  if (severity === "off") return [];
  const hint = `${advice}, or add \`waive: { ${rule}: { until: DATE, because: REASON } }\` to the link.`;
  // An expired waiver is an error in the files, so nothing is asked.
  const open = uses.filter(({ waivers }) => !waivers.has(rule));
  const groups = groupBy(open, ({ owners }) => owners.join(", "));
  return [...groups.values()].map((group) => atUses(group, { code: rule, severity, message, place: null, hint }));
}

/** A finding with the links, at the place of the first. */
function atUses(uses: readonly Use[], finding: Diagnostic): Diagnostic {
  const { owners = [], place = null } = uses[0] ?? {};
  const keys = [...new Set(uses.map(({ key }) => `\`${key}\``))];
  const owner = owners.length === 0 ? "" : ` Owner: ${owners.map((one) => `\`${one}\``).join(", ")}.`;
  const links = keys.length === 1 ? "Link" : plural(keys.length, "link");
  const message = `${finding.message} ${links}: ${someOf(keys, MOST_LINKS)}.${owner}`;
  return { ...finding, message, place, ...(owners.length > 0 && { owners }) };
}
