// What an explanation does not know and assumes, in sentences.

import { groupBy } from "../domain/collections.ts";
import { fieldAt } from "../domain/table.ts";
import { listText } from "../report/counts.ts";
import type { SideDocument } from "../report/json/explain.ts";

/** Something unknown that was assumed. */
export type Doubt = SideDocument["unknown"][number];

const LIVE = "This answer assumes the default. Pass `--live` to see the link in the account.";

/** A sentence for each reason. `fields` names the unknown fields. */
const TEXTS: Readonly<Record<Doubt["why"], (fields: string, paths: readonly string[]) => string>> = {
  silent: (_, paths) => {
    const states = new Set(paths.flatMap((path) => fieldAt("link", path)?.opens?.state ?? []));
    return `The files do not say whether the link ${listText([...states], "or")}, so an apply keeps the live state. ${LIVE}`;
  },
  kept: (fields) => `\`unspecified: keep\` keeps the live value of ${fields}, which no file shows. ${LIVE}`,
  "not returned": (fields) => `The service does not return ${fields}. This answer assumes the default.`,
  unreadable: (fields) =>
    `linkform cannot read ${fields} in the response of the service. This answer assumes the default.`,
  clicks: () =>
    "The files do not contain the number of clicks. This answer assumes fewer clicks than the limit. Pass `--clicks N` to try another number.",
  zone: () =>
    "The files do not set a time zone, and the answer depends on it. This answer assumes UTC. Set `service.account_timezone`.",
};

/** One sentence for each reason. */
export function doubtTexts(doubts: readonly Doubt[]): string[] {
  const byReason = groupBy(doubts, ({ why }) => why);
  return (["silent", "kept", "not returned", "unreadable", "clicks", "zone"] as const).flatMap((why) => {
    const paths = byReason.get(why)?.map(({ path }) => path) ?? [];
    return paths.length === 0 ? [] : [TEXTS[why](paths.map((path) => `\`${path}\``).join(", "), paths)];
  });
}
