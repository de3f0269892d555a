// The checks of `linkform doctor` that send requests.

import { fieldsText } from "../domain/live.ts";
import type { Project } from "../domain/project.ts";
import type { DetectedSoftware } from "../domain/software.ts";
import type { ResourceKind } from "../domain/table.ts";
import { ServiceError, UserError } from "../errors.ts";
import { plural } from "../report/counts.ts";
import type { Check } from "../report/report.ts";
import type { Clock } from "../domain/clock.ts";
import { probeLimit, probeDeletePath, type Bearing, type WorkingPath } from "../service/probe.ts";
import { connectReader, type Reader } from "../service/service.ts";
import type { Transport } from "../service/transport.ts";

/** Seconds. With a larger difference between the clocks, expiration dates may be judged wrong. */
const FAR_APART = 60;

/** Adds a check for each answer of the service. Throws if it does not answer at all, and if the run is stopped. */
export async function checkAccount(
  transport: Transport,
  clock: Clock,
  project: Project | null,
  checks: Check[],
): Promise<void> {
  const bearing = await probeLimit(transport, clock);
  checks.push({ name: "key", status: "ok", message: "The service accepts the API key.", hint: null });
  checks.push(limitCheck(bearing), clockCheck(bearing));
  const reader = connectReader(transport);
  await tried(checks, "links", async () => listCheck(reader, "link"));
  await tried(checks, "version", async () => versionCheck(await reader.software()));
  sayOnce(checks);
  await tried(checks, "pixels", async () => listCheck(reader, "pixel"));
  await tried(checks, "time zone", async () => zoneCheck((await reader.account()).zone, project));
  await tried(checks, "domains", () => namesCheck(reader, "domains"));
  await tried(checks, "spaces", () => namesCheck(reader, "spaces"));
  for (const kind of ["link", "pixel"] as const) {
    const sent: string[] = [];
    const checked = checks.length;
    await tried(checks, `delete ${kind}s`, async () => deleteCheck(kind, await probeDeletePath(transport, kind, sent)));
    const check = checks[checked];
    if (check !== undefined) checks[checked] = { ...check, message: `${check.message} ${sentText(kind, sent)}` };
  }
}

/** The requests that looked for the delete path, so that nobody is surprised by a DELETE in the service's log. */
function sentText(kind: ResourceKind, sent: readonly string[]): string {
  return `Tested with ${sent.map((path) => `DELETE ${path}`).join(" and ")}. No ${kind} has the id 0.`;
}

/** A failure as a check. Throws internal errors. */
export function failed(name: string, cause: unknown): Check {
  if (cause instanceof UserError || cause instanceof ServiceError)
    return { name, status: "failed", message: cause.message, hint: cause.hint };
  throw cause;
}

/** Shortens the last check if it failed for the same reason as the one before. */
function sayOnce(checks: Check[]): void {
  const [before, last] = checks.slice(-2);
  if (before?.status !== "failed" || last?.message !== before.message) return;
  checks[checks.length - 1] = { ...last, message: `Unknown. See \`${before.name}\`.`, hint: null };
}

/** Throws what stops the whole run: Ctrl-C and the time limit. */
async function tried(checks: Check[], name: string, examine: () => Promise<Check>): Promise<void> {
  try {
    checks.push(await examine());
  } catch (cause) {
    if (cause instanceof UserError) throw cause;
    checks.push(failed(name, cause));
  }
}

function limitCheck({ limit }: Bearing): Check {
  const name = "rate limit";
  if (limit.limit === null) {
    const message = "The service does not report its rate limit. linkform waits whenever the service asks it to.";
    return { name, status: "ok", message, hint: null };
  }
  const left = limit.remaining === null ? "" : `, ${limit.remaining} left`;
  return { name, status: "ok", message: `${plural(limit.limit, "request")} per window${left}.`, hint: null };
}

function clockCheck({ ahead }: Bearing): Check {
  const name = "clock";
  if (ahead === null) return { name, status: "ok", message: "The service does not report its time.", hint: null };
  if (Math.abs(ahead) <= 1)
    return { name, status: "ok", message: "The clocks of this machine and the service agree.", hint: null };
  const apart = `The service's clock is ${plural(Math.abs(ahead), "second")} ${ahead < 0 ? "behind" : "ahead of"} the clock of this machine.`;
  if (Math.abs(ahead) < FAR_APART) return { name, status: "ok", message: apart, hint: null };
  const hint = "Set the clock of this machine. linkform uses it to decide whether a link has expired.";
  return { name, status: "warning", message: apart, hint };
}

async function listCheck(reader: Reader, kind: ResourceKind): Promise<Check> {
  const { records, total, pages } = await reader.open(kind);
  const count = total ?? records.length;
  const more = pages === null ? " or more" : `, ${plural(pages, "request")} to read them all`;
  const message = `${plural(count, kind)}${more}.`;
  const odd = records.filter(({ unreadable }) => unreadable.length > 0);
  if (odd.length === 0) return { name: `${kind}s`, status: "ok", message, hint: null };
  const named = odd.slice(0, NAMED).map(({ id, unreadable }) => `${kind} ${id} (${fieldsText(unreadable)})`);
  const others = odd.length > NAMED ? `; and ${odd.length - NAMED} more` : "";
  const found = `${message} linkform cannot read ${odd.length} of the first ${records.length}: ${named.join("; ")}${others}.`;
  const hint = `linkform does not change ${odd.length === 1 ? "it" : "them"}. Fix ${odd.length === 1 ? "it" : "them"} in the service's web interface.`;
  return { name: `${kind}s`, status: "warning", message: found, hint };
}

/** More records are counted instead of named. */
const NAMED = 5;

function versionCheck({ version, source }: DetectedSoftware): Check {
  const name = "version";
  const check = { name, status: "ok", hint: null } as const;
  switch (source) {
    case "detected":
      return { ...check, message: `${version}, detected from the service's responses.` };
    case "declared":
      return { ...check, message: `${version}, declared in the project file. The responses do not contradict it.` };
    case "assumed": {
      const message = `The responses do not show the version. linkform assumes ${version}, the documented version.`;
      const hint = 'If that is wrong, set the version in the project file: `service: { software: "4.9" }`.';
      return { name, status: "warning", message, hint };
    }
    default:
      return source satisfies never;
  }
}

function zoneCheck(asked: string | null, project: Project | null): Check {
  const name = "time zone";
  const stated = project?.accountZone ?? null;
  if (asked === null && stated === null) {
    const message = "The service does not report the account's time zone, which it uses for dates.";
    const hint =
      "Before you declare dates, add the time zone to the project file: `service: { account_timezone: Europe/Berlin }`.";
    return { name, status: "warning", message, hint };
  }
  if (asked === null)
    return { name, status: "ok", message: `${stated}, from the files. The service does not report it.`, hint: null };
  if (stated === null || stated === asked) return { name, status: "ok", message: `${asked}.`, hint: null };
  const message = `The files say ${stated}, but the account uses ${asked}. Every date would be wrong.`;
  return { name, status: "failed", message, hint: `Write \`account_timezone: ${asked}\`, or remove the line.` };
}

async function namesCheck(reader: Reader, of: "domains" | "spaces"): Promise<Check> {
  const names = await reader.names(of);
  if (names === null) {
    const message = `The service does not list its ${of} for this API key.`;
    const hint = `If no link uses one of them yet, write its id: \`${of}: { NAME: ID }\`.`;
    return { name: of, status: "warning", message, hint };
  }
  const listed = names.map(({ id, name }) => `${name} (${id})`).join(", ");
  const message = names.length === 0 ? "None." : `${listed}.`;
  return { name: of, status: "ok", message, hint: null };
}

function deleteCheck(kind: ResourceKind, path: WorkingPath): Check {
  const name = `delete ${kind}s`;
  switch (path) {
    case "documented":
      return { name, status: "ok", message: "The documented path works.", hint: null };
    case "api":
      return {
        name,
        status: "ok",
        message: "The service refuses the documented path. The path under api/v1 works.",
        hint: null,
      };
    case "either":
      return {
        name,
        status: "ok",
        message: "The service refuses neither path. The first delete will show which one works.",
        hint: null,
      };
    case "none": {
      const message = "The service refuses both paths.";
      return {
        name,
        status: "failed",
        message,
        hint: "linkform cannot delete anything here. Check whether the API key allows deletes.",
      };
    }
    default:
      return path satisfies never;
  }
}
