// `linkform doctor`: checks the files, the connection and the account, and says what to fix. It changes nothing. To find the
// delete paths, it sends DELETE for the id 0, which no record has. The report shows these requests.

import { errorsIn } from "../domain/diagnostic.ts";
import { EXIT, ServiceError, UserError, type ExitCode } from "../errors.ts";
import type { Project } from "../domain/project.ts";
import type { DetectedSoftware } from "../domain/software.ts";
import type { ResourceKind } from "../domain/table.ts";
import { plural } from "../domain/words.ts";
import type { DoctorDocument } from "../report/json/schema.ts";
import { probeDeletePath, type WorkingPath } from "../service/delete-path.ts";
import { probeLimit, type Bearing } from "../service/limit.ts";
import type { Reader } from "../service/service.ts";
import { chooseBaseUrl, declaredIn, type ServiceFlags } from "../session/connect.ts";
import { Console } from "../session/console.ts";
import type { CommonFlags, World } from "../session/context.ts";
import { openProject } from "../session/project.ts";
import { connectTo, type Connected } from "../session/session.ts";

export type DoctorFlags = CommonFlags & ServiceFlags;

type Check = DoctorDocument["checks"][number];

/** A sentence if all is well. */
type Finding = string | Omit<Check, "name">;

function warned(message: string, hint: string): Finding {
  return { status: "warning", message, hint };
}

function failed(message: string, hint: string | null): Omit<Check, "name"> {
  return { status: "failed", message, hint };
}

function failure(cause: unknown): Omit<Check, "name"> {
  if (cause instanceof UserError || cause instanceof ServiceError) return failed(cause.message, cause.hint);
  throw cause;
}

type Add = (name: string, found: Finding) => void;

export async function doctor(world: World, flags: DoctorFlags): Promise<ExitCode> {
  const out = new Console(world, flags, "doctor");
  const checks: Check[] = [];
  const add: Add = (name, found) => {
    checks.push({ name, ...(typeof found === "string" ? { status: "ok", message: found, hint: null } : found) });
  };
  let exit: ExitCode | null = null;
  let current = "address";
  try {
    const project = await checkFiles(world, flags, add);
    const baseUrl = chooseBaseUrl(project && project.baseUrl, flags, world.env);
    add(current, baseUrl);
    current = "service";
    await checkAccount(await connectTo(out, baseUrl, project && declaredIn(project)), world, project, add);
  } catch (cause) {
    const { code = "" } = cause instanceof ServiceError || cause instanceof UserError ? cause : {};
    add(ABOUT_THE_KEY.has(code) ? "key" : current, failure(cause));
    if (cause instanceof UserError && cause.exit !== EXIT.error) exit = cause.exit;
  } finally {
    await out.close();
  }
  const well = checks.every(({ status }) => status !== "failed");
  const document = { format_version: "1.0", well, checks } as const;
  const printed = await out.report({ of: "doctor", document }, well ? EXIT.done : EXIT.error);
  return exit ?? printed;
}

/** Redirects usually lead to a login page. */
const ABOUT_THE_KEY: ReadonlySet<string> = new Set(["unauthenticated", "redirect", "no-key", "wrong-key"]);

/** Null if no project can be read: the address must come from a flag or variable then. */
async function checkFiles(world: World, flags: DoctorFlags, add: Add): Promise<Project | null> {
  try {
    const { project, diagnostics, files } = await openProject(world, flags);
    const errors = errorsIn(diagnostics).length;
    const isValid = project !== null && errors === 0;
    if (isValid) add("files", `${project.file}: ${plural(files.length, "file")} read.`);
    else add("files", failed(`${plural(errors, "error")} found.`, "Run `linkform validate` to see them."));
    return project;
  } catch (cause) {
    const isMissing = cause instanceof UserError && cause.code === "no-project" && flags.config === undefined;
    add("files", { ...failure(cause), ...(isMissing && { status: "warning" }) });
    return null;
  }
}

/** Throws if the service does not answer at all, and if the run is stopped. */
async function checkAccount(
  { transport, reader }: Connected,
  { clock }: World,
  project: Project | null,
  add: Add,
): Promise<void> {
  /** Throws what stops the whole run: Ctrl-C and the time limit. */
  const ask = async (finding: Promise<Finding>): Promise<Finding> =>
    finding.catch((cause: unknown) => {
      if (cause instanceof UserError) throw cause;
      return failure(cause);
    });
  const bearing = await probeLimit(transport, clock);
  add("key", "The service accepts the API key.");
  add("rate limit", limitText(bearing));
  add("clock", checkClock(bearing));
  add("links", await ask(listText(reader, "link")));
  add("version", await ask(reader.software().then(checkVersion)));
  add("pixels", await ask(listText(reader, "pixel")));
  add("time zone", await ask(reader.account().then(({ zone }) => checkZone(zone, project))));
  for (const of of ["domains", "spaces"] as const) add(of, await ask(checkNames(reader, of)));
  for (const kind of ["link", "pixel"] as const) {
    const sent: string[] = [];
    const found = await ask(probeDeletePath(transport, kind, sent).then((path) => PATHS[path]));
    // The operator may find these requests in the log of the service.
    const tested = `Tested with ${sent.map((path) => `DELETE ${path}`).join(" and ")}. No ${kind} has the id 0.`;
    const isWell = typeof found === "string";
    add(`delete ${kind}s`, isWell ? `${found} ${tested}` : { ...found, message: `${found.message} ${tested}` });
  }
}

function limitText({ limit: { limit, remaining } }: Bearing): string {
  return limit === null
    ? "The service does not report its rate limit. linkform waits whenever the service asks it to."
    : `${plural(limit, "request")} per window${remaining === null ? "" : `, ${remaining} left`}.`;
}

function checkClock({ ahead }: Bearing): Finding {
  if (ahead === null) return "The service does not report its time.";
  const seconds = Math.abs(ahead);
  if (seconds <= 1) return "The clocks of this machine and the service agree.";
  const apart = `The service's clock is ${plural(seconds, "second")} ${ahead < 0 ? "behind" : "ahead of"} the clock of this machine.`;
  if (seconds < 60) return apart;
  return warned(apart, "Set the clock of this machine. linkform uses it to decide whether a link has expired.");
}

async function listText(reader: Reader, kind: ResourceKind): Promise<string> {
  const { total, pages } = await reader.open(kind);
  return `${plural(total, kind)}, ${plural(pages, "request")} to read them all.`;
}

function checkVersion({ version, source }: DetectedSoftware): Finding {
  switch (source) {
    case "detected":
      return `${version}, detected from the service's responses.`;
    case "declared":
      return `${version}, declared in the project file. The responses do not contradict it.`;
    case "assumed":
      return warned(
        `The responses do not show the version. linkform assumes ${version}, the documented version.`,
        'If that is wrong, set the version in the project file: `service: { software: "4.9" }`.',
      );
    default:
      return source satisfies never;
  }
}

function checkZone(asked: string | null, project: Project | null): Finding {
  const stated = project?.accountZone ?? null;
  if (asked === null && stated === null)
    return warned(
      "The service does not report the account's time zone, which it uses for dates.",
      "Before you declare dates, add the time zone to the project file: `service: { account_timezone: Europe/Berlin }`.",
    );
  if (asked === null) return `${stated}, from the files. The service does not report it.`;
  if (stated === null || stated === asked) return `${asked}.`;
  const message = `The files say ${stated}, but the account uses ${asked}. Every date would be wrong.`;
  return failed(message, `Write \`account_timezone: ${asked}\`, or remove the line.`);
}

async function checkNames(reader: Reader, of: "domains" | "spaces"): Promise<Finding> {
  const names = await reader.names(of);
  const hint = `If no link uses one of them yet, write its id: \`${of}: { NAME: ID }\`.`;
  if (names === null) return warned(`The service does not list its ${of} for this API key.`, hint);
  return `${names.map(({ id, name }) => `${name} (${id})`).join(", ") || "None"}.`;
}

const PATHS: Readonly<Record<WorkingPath, Finding>> = {
  documented: "The documented path works.",
  api: "The service refuses the documented path. The path under api/v1 works.",
  either: "The service refuses neither path. The first delete will show which one works.",
  none: failed(
    "The service refuses both paths.",
    "linkform cannot delete anything here. Check whether the API key allows deletes.",
  ),
};
