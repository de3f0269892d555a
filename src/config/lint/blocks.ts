// Rules about one link or pixel: misspelled labels, passwords without effect, dates in the past, renames without effect, reviews that are due.

import type { InstantSpec, ReferenceSpec, SecretSpec } from "../../domain/field.ts";
import { groupBy } from "../../domain/collections.ts";
import { isTypo } from "../../domain/nearest.ts";
import { placeIn, showPlace } from "../../domain/place.ts";
import { isReviewDue, pixelNamesOf, showKey, type Declaration } from "../../domain/project.ts";
import { EXPIRATION_DATE, FIELDS, START_DATE, TARGETS } from "../../domain/table.ts";
import { FIRST_ZONE, instantOf, isStorable, LAST_ZONE, OUT_OF_RANGE, wallTimeOf } from "../../domain/zone.ts";
import { advice, type LintContext, type Rule } from "./context.ts";
import type { Labels, ProjectLabels } from "../keys.ts";

/** The current time, and the time zones as far as the files set them. */
export interface Times {
  /** An instant in canonical form. If null, no date is in the past. */
  readonly now: string | null;
  /** The zone of the dates in the files: by default, that of the account. */
  readonly zone: string | null;
  readonly accountZone: string | null;
}

/** The current date in the zone of the files; `otherwise` is the zone if they do not set it. */
export function todayIn(times: Times, otherwise: string): string | null {
  return presentIn(times, otherwise)?.slice(0, "2027-03-31".length) ?? null;
}

function presentIn({ now, zone }: Times, otherwise: string): string | null {
  return now === null ? null : wallTimeOf(now, zone ?? otherwise);
}

/** These rules, without `review-due`. */
export function blockRule(labels: ProjectLabels, times: Times): Rule {
  return (declaration, context) => {
    lintRename(declaration, labels.domain, context);
    lintConsent(declaration, context);
    lintPeriod(declaration, context);
    for (const spec of FIELDS[declaration.kind]) {
      if (spec.kind === "reference") lintReference(spec, declaration, labels[spec.to], context);
      if (spec.kind === "secret") lintSecret(spec, declaration, context);
      if (spec.kind === "instant") lintInstant(spec, declaration, times, context);
    }
  };
}

function lintRename(declaration: Declaration, domains: Labels, context: LintContext): void {
  const { renamedFrom } = declaration;
  if (renamedFrom === null || domains.keyIdentity(renamedFrom) !== domains.keyIdentity(declaration)) return;
  const message = "`renamed_from` is the same as the key of this block.";
  context.report(advice("renamed-to-itself", message, renamedFrom.place, "Remove `renamed_from`."));
}

/** One finding for each `review_by`: in defaults, it applies to many links. */
export function lintReviews(declarations: readonly Declaration[], today: string | null, context: LintContext): void {
  const due = declarations.filter((one) => isReviewDue(one.reviewBy?.text ?? null, today));
  for (const links of groupBy(due, ({ reviewBy }) => reviewBy && showPlace(reviewBy.place)).values()) {
    const [link] = links;
    if (!link?.reviewBy) continue;
    const { text, place } = link.reviewBy;
    const owners = [...new Set(links.flatMap((one) => one.owners))];
    const [what, it] = links.length === 1 ? [`\`${showKey(link)}\``, "the link"] : [`${links.length} links`, "them"];
    const message = `The review of ${what} ${text === today ? `is due today, ${text}` : `was due on ${text}`}.`;
    const who = owners.length === 0 ? "" : ` Owner: ${owners.join(", ")}.`;
    context.report(advice("review-due", message, place, `Check ${it}, and then move the date.${who}`));
  }
}

/** Visitors of a link with pixels are asked for consent. Those who agree go to `url`. */
function lintConsent(declaration: Declaration, context: LintContext): void {
  const active = declaration.fields.get(TARGETS.active.path);
  if (!active || active.value === TARGETS.active.default || pixelNamesOf(declaration).length === 0) return;
  const message = `\`${showKey(declaration)}\` has pixels, so visitors who accept tracking skip its targeting and go to \`url\`.`;
  const hint = "Remove the pixels or the targeting, or choose a `url` that fits every visitor.";
  context.report(advice("pixels-skip-targeting", message, active.place, hint));
}

/** Reports a reference to a domain or space that resembles a label. Only the service knows whether it exists. */
function lintReference({ path, to }: ReferenceSpec, link: Declaration, labels: Labels, context: LintContext): void {
  const declared = link.fields.get(path);
  const text = path === "domain" ? link.domain : declared?.value;
  // Host names are often alike on purpose.
  if (typeof text !== "string" || text.includes(".") || labels.find(text)) return;
  const label = labels.all.find((one) => isTypo(text, one.label))?.label;
  if (label === undefined) return;
  const message = `\`${text}\` is not a label under \`${to}s\`, but resembles \`${label}\`.`;
  const hint = `Did you mean \`${label}\`? If \`${text}\` is the name of a ${to}, add a label for it.`;
  const place = placeIn(declared?.place ?? link.place, text, "last");
  context.report(advice("misspelled-label", message, place, hint));
}

/** Reports a secret that works only with a value of another field, and that value without the secret. */
function lintSecret(spec: SecretSpec, { fields }: Declaration, context: LintContext): void {
  if (spec.worksWith === null) return;
  const { path, value } = spec.worksWith;
  const word = fields.get(path);
  const secret = fields.get(spec.path);
  if (secret?.value === true && word?.value !== value) {
    const message = `\`${spec.path}\` has no effect without \`${path}: ${value}\`.`;
    context.report(advice("secret-unused", message, secret.place, `Add \`${path}: ${value}\`.`));
  }
  if (word?.value !== value || secret) return;
  const message = `\`${path}: ${value}\` is set, but \`${spec.path}\` is missing.`;
  context.report(advice("secret-left-out", message, word.place, `Add \`${spec.path}: { env: LINKFORM_SECRET_… }\`.`));
}

/** Both are wall times in the same zone. */
function lintPeriod({ fields }: Declaration, context: LintContext): void {
  const start = fields.get(START_DATE.path);
  const end = fields.get(EXPIRATION_DATE.path);
  if (typeof start?.value !== "string" || typeof end?.value !== "string" || start.value < end.value) return;
  const message = `\`${START_DATE.path}\` is not before \`${EXPIRATION_DATE.path}\`, so the link would never work.`;
  context.report(advice("start-after-end", message, start.place, "Choose an earlier start or a later end."));
}

function lintInstant(spec: InstantSpec, declaration: Declaration, times: Times, context: LintContext): void {
  const declared = declaration.fields.get(spec.path);
  if (typeof declared?.value !== "string") return;
  const { value, place } = declared;
  if (!canStore(spec, value, times)) {
    context.report(advice("date-out-of-range", OUT_OF_RANGE.message, place, OUT_OF_RANGE.hint));
    return;
  }
  // In an unknown zone, a time is in the past when it has passed in every zone. Wall times sort as text.
  const present = presentIn(times, LAST_ZONE);
  // A start in the past is normal.
  if (spec.works === "after" || present === null || value > present) return;
  const message = `\`${showKey(declaration)}\` expired on ${value.replace("T", " at ")}.`;
  const hint = "Choose a later date. To delete the link, replace it with a tombstone under `absent`.";
  context.report(advice("expired", message, place, hint));
}

/** Whether the service can store a wall time. Without a zone in the files, whether it can in some zone. */
function canStore(spec: InstantSpec, wall: string, { zone, accountZone }: Times): boolean {
  const year = wall.slice(0, 4);
  // Away from the limits the zone makes no difference, and converting is slow.
  if (year > spec.from.slice(0, 4) && year < spec.before.slice(0, 4)) return true;
  const zones = zone === null ? [FIRST_ZONE, LAST_ZONE] : [zone];
  return zones.some((one) => {
    const instant = instantOf(wall, one);
    return isStorable(spec, instant, accountZone === null ? instant : wallTimeOf(instant, accountZone));
  });
}
