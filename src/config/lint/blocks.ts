// Rules about one link or pixel as a whole: passwords that do nothing, dates that have passed, names that stay.

import type { InstantSpec } from "../../domain/field.ts";
import { showKey, type Declaration } from "../../domain/project.ts";
import { EXPIRATION_DATE, FIELDS, REFERENCE_FIELD, START_DATE, TARGETS } from "../../domain/table.ts";
import { instantOf, isStorable, OUT_OF_RANGE, wallTimeOf } from "../../domain/zone.ts";
import type { Advice } from "./advice.ts";
import type { Labels } from "../labels.ts";
import { textIdentity } from "../rules.ts";

/** What dates are judged by. */
export interface Times {
  /** The present, an instant in canonical form; null where none is known, and nothing counts as past. */
  readonly now: string | null;
  /** The zone that dates in the files mean, and the account's; null where the files don't say. */
  readonly zone: string | null;
  readonly accountZone: string | null;
}

/** Lints each declaration by itself. */
export function lintBlocks(declarations: readonly Declaration[], domains: Labels, times: Times, advice: Advice): void {
  const filesZone = times.zone ?? times.accountZone;
  // Where the zone is not known, a time has passed when it has on every clock of the earth.
  const present = times.now === null ? null : wallTimeOf(times.now, filesZone ?? LAST_ZONE);
  for (const declaration of declarations) {
    lintRename(declaration, domains, advice);
    lintConsent(declaration, advice);
    lintPeriod(declaration, advice);
    for (const row of FIELDS[declaration.kind]) {
      if (row.kind === "secret") lintSecret(row, declaration, advice);
      if (row.kind === "instant") lintInstant(row, declaration, { ...times, zone: filesZone }, present, advice);
    }
  }
}

function lintRename(declaration: Declaration, domains: Labels, advice: Advice): void {
  const { renamedFrom } = declaration;
  if (renamedFrom === null || textIdentity(renamedFrom, domains) !== textIdentity(declaration, domains)) return;
  const message = "`renamed_from` names this block's own key.";
  advice.say(renamedFrom.place, { rule: "renamed-to-itself", message, hint: "Remove `renamed_from`." });
}

/** Visitors of a link with pixels are asked for consent, and those who give it go to `url`. */
function lintConsent(declaration: Declaration, advice: Advice): void {
  const pixels = declaration.fields.get(REFERENCE_FIELD.pixel)?.value;
  const active = declaration.fields.get(TARGETS.active.path);
  const isTargeted = active !== undefined && active.value !== TARGETS.active.default;
  if (!isTargeted || !Array.isArray(pixels) || pixels.length === 0) return;
  const message = `\`${showKey(declaration)}\` has pixels: visitors who accept tracking go to \`url\`, past its targeting.`;
  advice.say(active.place, {
    rule: "pixels-skip-targeting",
    message,
    hint: "Remove the pixels or the targeting, or make `url` a page for every visitor.",
  });
}

/** A secret that takes effect only with a word of another field, and that word without the secret. */
function lintSecret(
  row: Extract<(typeof FIELDS)["link"][number], { kind: "secret" }>,
  { fields }: Declaration,
  advice: Advice,
): void {
  if (row.worksWith === null) return;
  const { path, value } = row.worksWith;
  const word = fields.get(path);
  const secret = fields.get(row.path);
  if (secret?.value === true && word?.value !== value) {
    const message = `\`${row.path}\` has no effect without \`${path}: ${value}\`.`;
    advice.say(secret.place, { rule: "secret-unused", message, hint: `Add \`${path}: ${value}\`.` });
  }
  if (word?.value !== value || secret !== undefined) return;
  const message = `\`${path}: ${value}\` stands without a \`${row.path}\`.`;
  const hint = `Add \`${row.path}: { env: LINKFORM_SECRET_… }\`.`;
  advice.say(word.place, { rule: "secret-left-out", message, hint });
}

/** Both are wall times of one zone. */
function lintPeriod({ fields }: Declaration, advice: Advice): void {
  const start = fields.get(START_DATE.path);
  const end = fields.get(EXPIRATION_DATE.path);
  if (typeof start?.value !== "string" || typeof end?.value !== "string" || start.value < end.value) return;
  const message = `\`${START_DATE.path}\` is not before \`${EXPIRATION_DATE.path}\`, so the link would never work.`;
  advice.say(start.place, { rule: "start-after-end", message, hint: "Choose an earlier start or a later end." });
}

/** `present` is the wall time now, on the clocks of the files. Both are texts of one form, which sort as times do. */
function lintInstant(
  row: InstantSpec,
  declaration: Declaration,
  times: Times,
  present: string | null,
  advice: Advice,
): void {
  const said = declaration.fields.get(row.path);
  if (said === undefined || typeof said.value !== "string") return;
  if (!isHeld(row, said.value, times)) {
    advice.say(said.place, { rule: "date-out-of-range", ...OUT_OF_RANGE });
    return;
  }
  // A start in the past is what a link that works has.
  if (row.works === "after" || present === null || said.value > present) return;
  const message = `\`${showKey(declaration)}\` has expired already, on ${said.value.replace("T", " at ")}.`;
  const hint = "Choose a later date; to end the link for good, write a tombstone under `absent` instead.";
  advice.say(said.place, { rule: "expired", message, hint });
}

/** Whether the service can store a wall time; where the files name no zone, whether it can in some zone. */
function isHeld(row: InstantSpec, wall: string, { zone, accountZone }: Times): boolean {
  const year = wall.slice(0, 4);
  // Far from both ends no zone makes a difference, and zones take time.
  if (year > row.from.slice(0, 4) && year < row.before.slice(0, 4)) return true;
  const zones = zone === null ? [FIRST_ZONE, LAST_ZONE] : [zone];
  return zones.some((one) => {
    const instant = instantOf(wall, one);
    return isStorable(row, instant, accountZone === null ? instant : wallTimeOf(instant, accountZone));
  });
}

/** The zones in which a day begins first and last. */
const FIRST_ZONE = "Etc/GMT-14";
const LAST_ZONE = "Etc/GMT+12";
