// Findings about the links of a family. A mistake in a value that many of them share is reported once.

import { groupBy } from "../domain/collections.ts";
import type { Diagnostic } from "../domain/diagnostic.ts";
import { spotOf } from "../domain/shared-findings.ts";
import { showCombination, type FamilyLink } from "../domain/project.ts";

/** A link of a family, and the findings about it. */
interface MemberFindings {
  readonly block: { readonly key: string };
  readonly family: FamilyLink;
  readonly diagnostics: readonly Diagnostic[];
}

interface MemberFinding {
  readonly diagnostic: Diagnostic;
  readonly member: MemberFindings;
}

/** Merges the findings with the same code and place. Names the first combination and the number of others, unless all links have it. */
export function mergeFindings(members: readonly MemberFindings[]): Diagnostic[] {
  const found = members.flatMap((member) => {
    const counts = new Map<string, number>();
    return member.diagnostics.map((diagnostic) => {
      // A link can have several findings with one code and place, such as two missing fields.
      const spot = `${diagnostic.code} ${spotOf(diagnostic.place)}`;
      const count = counts.get(spot) ?? 0;
      counts.set(spot, count + 1);
      return { diagnostic, member, identity: `${spot} ${count}` };
    });
  });
  return [...groupBy(found, ({ identity }) => identity).values()].flatMap((same) => {
    const [first] = same;
    return first === undefined ? [] : [merged(first, same, members.length)];
  });
}

function merged(first: MemberFinding, same: readonly MemberFinding[], memberCount: number): Diagnostic {
  const texts = new Set(same.map((one) => `${generalMessage(one)} ${one.diagnostic.hint}`));
  const isAboutAll = same.length === memberCount && texts.size === 1;
  if (isAboutAll) return { ...first.diagnostic, message: generalMessage(first) };
  const { diagnostic, member } = first;
  const combination = combinationText(member.family, same.length - 1);
  return { ...diagnostic, message: `${diagnostic.message.replace(/\.$/, "")}${combination}.` };
}

/** The first combination with a mistake, and the number of others, for the end of a sentence. */
export function combinationText({ combination }: FamilyLink, others: number): string {
  const more = others === 0 ? "" : `, and ${others} other${others === 1 ? "" : "s"}`;
  return ` (in the combination ${showCombination(combination)}${more})`;
}

/** The message with the pattern in place of the link's key. */
function generalMessage({ diagnostic, member }: MemberFinding): string {
  return diagnostic.message.replaceAll(`\`${member.block.key}\``, `\`${member.family.pattern}\``);
}
