// What the pages of markdown and HTML need to know of a change: of a plan, or of an apply, which knows its changes as documents only.

import { changeIdentity, changesByIdentity, type Change, type Plan } from "../domain/change.ts";
import { groupBy } from "../domain/group.ts";
import type { Place } from "../domain/place.ts";
import type { ResourceKind } from "../domain/table.ts";
import type { Collapsible } from "./similar-changes.ts";
import { plural } from "./counts.ts";
import { lastChanged, stateOf, type State } from "./drift.ts";
import { originText } from "./origins.ts";
import type { ChangeResult } from "./document.ts";
import { isInKey, shortUrl, viewChange, type ChangeView } from "./change.ts";
import { tellApart } from "./confusables.ts";
import { visible } from "../domain/control-characters.ts";
import type { WordChange } from "./values.ts";

export interface ReportItem extends Collapsible {
  readonly action: Change["action"];
  readonly kind: ResourceKind;
  readonly key: string;
  /** The key until now, where that changes. */
  readonly was: string | null;
  /** What people type for the link as it will be, where the key does not spell it. */
  readonly url: string | null;
  /** What people type that stops answering as it did, where something does. */
  readonly lost: string | null;
  readonly id: number | null;
  readonly clicks: number | null;
  readonly isNoticed: boolean;
  /** Why something is deleted that no line asks for: a sentence. */
  readonly because: string | null;
  readonly words: readonly WordChange[];
  /** There is only one side. */
  readonly isWhole: boolean;
  readonly place: Place;
  readonly origin: string | null;
  readonly trips: boolean;
  /** When the service last wrote it, where that is what the report is about. */
  readonly since: string | null;
  /** How live differs, where that is what the report is about. */
  readonly state: State | null;
}

/** The changes of a plan; `stories` are theirs, for whoever has them already. */
export function itemsOf(plan: Plan, stories: readonly ChangeView[] = []): ReportItem[] {
  const tripping = new Set(plan.brakes.flatMap(({ changes }) => changes));
  return plan.changes.map((change, at) => itemOf(change, plan, tripping.has(change), stories[at]));
}

function itemOf(change: Change, plan: Plan, trips: boolean, story: ChangeView = viewChange(change, plan)): ReportItem {
  const { action, kind, key, was, id, url, isNoticed, because, words, isWhole, place, origin } = story;
  const live = change.action === "create" ? null : change.live;
  const lost = change.breaksUrl && live !== null ? visible(shortUrl(live.key, live.values, plan.hosts)) : null;
  const clicks = live?.clicks ?? null;
  const apart = was === null && !trips ? `${action} ${origin ?? ""} ${because ?? ""}` : null;
  return {
    action,
    kind,
    key,
    was,
    url,
    lost,
    id,
    clicks,
    isNoticed,
    because,
    words,
    isWhole,
    place,
    origin,
    trips,
    since: null,
    state: null,
    apart,
  };
}

/** How live differs from the files: what is declared stands first, then what is live. */
export function differencesOf(all: readonly Change[], plan: Plan): ReportItem[] {
  return all.map((change) => {
    const item = itemOf(change, plan, false);
    const turned = item.isWhole
      ? item.words
      : item.words.map(({ path, before, after }) => ({ path, before: after, after: before }));
    // What would end is what is live: here nothing does.
    return { ...item, words: turned, origin: null, lost: null, since: lastChanged(change), state: stateOf(change) };
  });
}

/** The changes of an apply: as the plan has them, where it does. Of a saved plan they are what was saved. */
export function resultItems(all: readonly ChangeResult[], plan: Plan): ReportItem[] {
  const planned = changesByIdentity(plan.changes);
  return all.map((result) => {
    const change = planned.get(changeIdentity(result));
    return change === undefined ? resultItem(result) : itemOf(change, plan, false);
  });
}

function resultItem(result: ChangeResult): ReportItem {
  const { action, kind, id, breaks_url, fields } = result;
  const [was, key] =
    result.previous_key === null ? [null, visible(result.key)] : tellApart(result.previous_key, result.key);
  const isWhole = action === "create" || action === "delete";
  const origin = result.origin === null ? null : originText(result.origin);
  const words = isWhole ? fields.filter((word) => !isInKey(result, word)) : fields;
  return {
    action,
    kind,
    key,
    was,
    id,
    origin,
    isWhole,
    place: result.source,
    words,
    url: null,
    lost: breaks_url ? (was ?? key) : null,
    clicks: null,
    isNoticed: breaks_url,
    because: null,
    trips: false,
    since: null,
    state: null,
    apart: was === null ? `${action} ${origin ?? ""}` : null,
  };
}

/** `200 links and 12 pixels`. */
export function countOf(items: readonly ReportItem[], adjective = ""): string {
  const kinds = groupBy(items, ({ kind }) => kind);
  return (["link", "pixel"] as const)
    .flatMap((kind) => {
      const count = kinds.get(kind)?.length ?? 0;
      return count === 0 ? [] : [plural(count, `${adjective}${kind}`)];
    })
    .join(" and ");
}
