// `linkform doctor`: checks the files, the connection and the account, and says what to fix. It changes nothing. To find the
// delete paths, it sends DELETE for the id 0, which no record has. The report shows these requests.

import { EXIT, ServiceError, UserError, type ExitCode } from "../errors.ts";
import type { Project } from "../domain/project.ts";
import { plural } from "../report/counts.ts";
import { proxyAddress, readProxies } from "../http/proxies.ts";
import { chooseBaseUrl, declaredIn, pinnedBaseUrl, type ServiceFlags } from "../session/connect.ts";
import { Console } from "../session/console.ts";
import type { CommonFlags, World } from "../session/context.ts";
import { checkAccount, failed, failure, ok, type Check } from "./doctor-account.ts";
import { openProject } from "../session/project.ts";
import { openSession, sessionOptions } from "../session/session.ts";

export type DoctorFlags = CommonFlags & ServiceFlags;

/** Runs and prints all checks; 1 if one of them failed. */
export async function doctor(world: World, flags: DoctorFlags): Promise<ExitCode> {
  const out = new Console(world, flags, "doctor");
  const checks: Check[] = [];
  try {
    await openSession(sessionOptions(out), async ({ connect }) => {
      const project = await checkFiles(world, flags, checks);
      const baseUrl = checkAddress(world, flags, project, checks);
      if (baseUrl === null) return;
      checkProxy(baseUrl, world, checks);
      const transport = await connect(baseUrl, project && declaredIn(project));
      await checkAccount(transport, world.clock, project, checks);
    });
  } catch (cause) {
    const { code = "" } = cause instanceof ServiceError || cause instanceof UserError ? cause : {};
    checks.push(failure(ABOUT_THE_KEY.has(code) ? "key" : "service", cause));
    if (cause instanceof UserError && cause.exit !== EXIT.error) return report(out, checks, cause.exit);
  }
  return report(out, checks, isWell(checks) ? EXIT.done : EXIT.error);
}

function isWell(checks: readonly Check[]): boolean {
  return checks.every(({ status }) => status !== "failed");
}

/** Redirects usually lead to a login page. */
const ABOUT_THE_KEY: ReadonlySet<string> = new Set(["unauthenticated", "redirect", "no-key", "wrong-key"]);

async function report(out: Console, checks: readonly Check[], exit: ExitCode): Promise<ExitCode> {
  const isWritten = await out.result({
    of: "doctor",
    document: { format_version: "1.0", well: isWell(checks), checks: [...checks] },
  });
  return isWritten || exit !== EXIT.done ? exit : EXIT.error;
}

/** The project, or null if there is none that can be read: the address must come from a flag or variable then. */
async function checkFiles(world: World, flags: DoctorFlags, checks: Check[]): Promise<Project | null> {
  try {
    const { project, diagnostics, files } = await openProject(world, flags);
    const errors = diagnostics.filter(({ severity }) => severity === "error").length;
    checks.push(
      project === null || errors > 0
        ? failed("files", `${plural(errors, "error")} found.`, "Run `linkform validate` to see them.")
        : ok("files", `${project.file}: ${plural(files.length, "file")} read.`),
    );
    return project;
  } catch (cause) {
    // With an address from a flag or variable, the service can be checked without files.
    const isMissing = cause instanceof UserError && cause.code === "no-project" && flags.config === undefined;
    checks.push({ ...failure("files", cause), ...(isMissing ? { status: "warning" } : {}) });
    return null;
  }
}

function checkAddress(world: World, flags: DoctorFlags, project: Project | null, checks: Check[]): string | null {
  try {
    const baseUrl = project === null ? pinnedBaseUrl(flags, world.env) : chooseBaseUrl(project, flags, world.env);
    checks.push(ok("address", baseUrl));
    return baseUrl;
  } catch (cause) {
    checks.push(failure("address", cause));
    return null;
  }
}

function checkProxy(baseUrl: string, { env }: World, checks: Check[]): void {
  const proxies = readProxies(baseUrl, env);
  if (proxies === null) return;
  // Only the host, because the rest may contain a password.
  const { host } = proxyAddress(proxies);
  const but = proxies.noProxy === "" ? "" : `, except to hosts in NO_PROXY (${proxies.noProxy})`;
  checks.push(ok("proxy", `Connections go through ${host}${but}.`));
}
