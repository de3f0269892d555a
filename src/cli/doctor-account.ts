// The checks of `linkform doctor` that send requests.

import type { Project } from "../domain/project.ts";
import type { DetectedSoftware } from "../domain/software.ts";
import type { ResourceKind } from "../domain/table.ts";
import { ServiceError, UserError } from "../errors.ts";
import { plural } from "../report/counts.ts";
import type { Clock } from "../domain/clock.ts";
import { probeLimit, probeDeletePath, type Bearing, type WorkingPath } from "../service/probe.ts";
import { connectReader, type Reader } from "../service/service.ts";
import type { Transport } from "../service/transport.ts";
import type { DoctorDocument } from "../report/json/schema.ts";

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
  checks.push(ok("key", "The service accepts the API key."));
  checks.push(limitCheck(bearing), clockCheck(bearing));
  const reader = connectReader(transport);
  await tried(checks, "links", async () => listCheck(reader, "link"));
  await tried(checks, "version", async () => versionCheck(await reader.software()));
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

/** Throws what stops the whole run: Ctrl-C and the time limit. */
async function tried(checks: Check[], name: string, examine: () => Promise<Check>): Promise<void> {
  try {
    checks.push(await examine());
  } catch (cause) {
    if (cause instanceof UserError) throw cause;
    checks.push(failure(name, cause));
  }
}

function limitCheck({ limit }: Bearing): Check {
  const left = limit.remaining === null ? "" : `, ${limit.remaining} left`;
  const message =
    limit.limit === null
      ? "The service does not report its rate limit. linkform waits whenever the service asks it to."
      : `${plural(limit.limit, "request")} per window${left}.`;
  return ok("rate limit", message);
}

function clockCheck({ ahead }: Bearing): Check {
  if (ahead === null) return ok("clock", "The service does not report its time.");
  if (Math.abs(ahead) <= 1) return ok("clock", "The clocks of this machine and the service agree.");
  const apart = `The service's clock is ${plural(Math.abs(ahead), "second")} ${ahead < 0 ? "behind" : "ahead of"} the clock of this machine.`;
  if (Math.abs(ahead) < FAR_APART) return ok("clock", apart);
  return warned(
    "clock",
    apart,
    "Set the clock of this machine. linkform uses it to decide whether a link has expired.",
  );
}

async function listCheck(reader: Reader, kind: ResourceKind): Promise<Check> {
  const { total, pages } = await reader.open(kind);
  return ok(`${kind}s`, `${plural(total, kind)}, ${plural(pages, "request")} to read them all.`);
}

function versionCheck({ version, source }: DetectedSoftware): Check {
  switch (source) {
    case "detected":
      return ok("version", `${version}, detected from the service's responses.`);
    case "declared":
      return ok("version", `${version}, declared in the project file. The responses do not contradict it.`);
    case "assumed":
      return warned(
        "version",
        `The responses do not show the version. linkform assumes ${version}, the documented version.`,
        'If that is wrong, set the version in the project file: `service: { software: "4.9" }`.',
      );
    default:
      return source satisfies never;
  }
}

function zoneCheck(asked: string | null, project: Project | null): Check {
  const stated = project?.accountZone ?? null;
  if (asked === null && stated === null)
    return warned(
      "time zone",
      "The service does not report the account's time zone, which it uses for dates.",
      "Before you declare dates, add the time zone to the project file: `service: { account_timezone: Europe/Berlin }`.",
    );
  if (asked === null) return ok("time zone", `${stated}, from the files. The service does not report it.`);
  if (stated === null || stated === asked) return ok("time zone", `${asked}.`);
  const message = `The files say ${stated}, but the account uses ${asked}. Every date would be wrong.`;
  return failed("time zone", message, `Write \`account_timezone: ${asked}\`, or remove the line.`);
}

async function namesCheck(reader: Reader, of: "domains" | "spaces"): Promise<Check> {
  const names = await reader.names(of);
  const hint = `If no link uses one of them yet, write its id: \`${of}: { NAME: ID }\`.`;
  if (names === null) return warned(of, `The service does not list its ${of} for this API key.`, hint);
  const listed = names.map(({ id, name }) => `${name} (${id})`).join(", ");
  return ok(of, `${listed === "" ? "None" : listed}.`);
}

const PATHS: Readonly<Record<Exclude<WorkingPath, "none">, string>> = {
  documented: "The documented path works.",
  api: "The service refuses the documented path. The path under api/v1 works.",
  either: "The service refuses neither path. The first delete will show which one works.",
};

function deleteCheck(kind: ResourceKind, path: WorkingPath): Check {
  if (path !== "none") return ok(`delete ${kind}s`, PATHS[path]);
  const hint = "linkform cannot delete anything here. Check whether the API key allows deletes.";
  return failed(`delete ${kind}s`, "The service refuses both paths.", hint);
}

export type Check = DoctorDocument["checks"][number];

export function ok(name: string, message: string): Check {
  return { name, status: "ok", message, hint: null };
}

function warned(name: string, message: string, hint: string): Check {
  return { name, status: "warning", message, hint };
}

export function failed(name: string, message: string, hint: string | null): Check {
  return { name, status: "failed", message, hint };
}

/** A failure as a check. Throws internal errors. */
export function failure(name: string, cause: unknown): Check {
  if (cause instanceof UserError || cause instanceof ServiceError) return failed(name, cause.message, cause.hint);
  throw cause;
}
