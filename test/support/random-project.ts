// Random edits of a random account's files: the files at the base, and now.

import fc from "fast-check";
import { fold } from "../../src/domain/fold.ts";
import { account, accountWith, projectOf, type Account, type Files } from "./random-account.ts";

export interface RandomProject {
  readonly live: Account;
  /** What the files do with each link of the account now. "other" declares the next one's values. */
  readonly edits: readonly ("keep" | "other" | "spell" | "remove" | "rename" | "delete")[];
  /** The declared pixels; null for those of the base. */
  readonly pixels: Account["declaredPixels"] | null;
  /** Whether the files delete the pixels that they no longer declare. */
  readonly deletesPixels: boolean;
  readonly prune: "none" | "removed" | "scope";
}

export const randomProject: fc.Arbitrary<RandomProject> = fc.record({
  live: accountWith(3),
  edits: fc.array(fc.constantFrom("keep", "keep", "other", "other", "spell", "remove", "rename", "delete"), {
    minLength: 7,
    maxLength: 7,
  }),
  pixels: fc.option(account.map(({ declaredPixels }) => declaredPixels)),
  deletesPixels: fc.boolean(),
  prune: fc.constantFrom("none", "removed", "scope"),
});

/** The files at the base and now. */
export function filesOf(url: string, project: RandomProject): { readonly base: Files; readonly now: Files } {
  const { live, prune, deletesPixels } = project;
  const declared = edited(project);
  const kept = new Set(declared.declaredPixels.map(fold));
  const removed = live.declaredPixels.filter((name) => !kept.has(fold(name)));
  // Links cannot use pixels that this apply deletes.
  const pruned = { none: [], removed, scope: live.livePixels }[prune];
  const deleted = new Set([...pruned, ...(deletesPixels ? removed : [])].map(fold));
  const scope = prune === "scope" ? { scope: { domains: ["go.example.com", "promo.example.com"] } } : {};
  const side = (one: Account, pixels: readonly string[]): Files => {
    const files: Files = JSON.parse(JSON.stringify(projectOf(url, one)));
    return Object.assign(files, scope, { prune, absent: { ...files.absent, pixels } });
  };
  const livePixels = live.livePixels.filter((name) => !deleted.has(fold(name)));
  return { base: side(live, []), now: side({ ...declared, livePixels }, deletesPixels ? removed : []) };
}

function edited({ live, edits, pixels }: RandomProject): Account {
  const { links } = live;
  const kept = links.flatMap((link, at) => {
    const { declared, tombstone } = links[(at + 1) % links.length] ?? link;
    const results = {
      keep: [link],
      other: [{ ...link, declared, tombstone }],
      spell: [link.declared === null ? link : { ...link, alias: link.alias.toUpperCase() }],
      remove: [],
      rename: [{ ...link, declared: null, tombstone: false }],
      delete: [{ ...link, declared: null, tombstone: true }],
    };
    return results[edits[at] ?? "keep"];
  });
  return { ...live, links: kept, declaredPixels: pixels ?? live.declaredPixels };
}
