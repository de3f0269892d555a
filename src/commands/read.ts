// Reading what a plan needs of the account: both lists, and the few things that only some projects need.

import type { LiveState } from "../domain/live.ts";
import type { Project } from "../domain/project.ts";
import { whatIsMissing } from "../plan/missing.ts";
import { plural } from "../report/diagnostics-text.ts";
import type { Reader } from "../service/service.ts";

/** Reads the account as far as this project needs it. `detail` is told what was asked for and why. */
export async function readAccount(
  project: Project,
  reader: Reader,
  detail: (text: string) => void,
): Promise<LiveState> {
  const [links, pixels] = await Promise.all([reader.list("link"), reader.list("pixel")]);
  detail(
    `Read ${plural(links.rows.length, "link")} on ${plural(links.pages, "page")} and ${plural(pixels.rows.length, "pixel")} on ${plural(pixels.pages, "page")}.`,
  );
  const missing = whatIsMissing(project, { links: links.rows });
  if (missing.domains)
    detail("Asking for the list of domains: the links that were read don't name all that the files do.");
  if (missing.spaces)
    detail("Asking for the list of spaces: the links that were read don't name all that the files do.");
  if (missing.zone) detail("Asking for the account's time zone: there are dates, and the files don't state it.");
  const [domains, spaces, accountZone] = await Promise.all([
    missing.domains ? reader.names("domains") : null,
    missing.spaces ? reader.names("spaces") : null,
    missing.zone ? reader.accountZone() : null,
  ]);
  return {
    links: links.rows,
    pixels: pixels.rows,
    domains,
    spaces,
    accountZone,
    requests: reader.requests,
    pages: { link: links.pages, pixel: pixels.pages },
  };
}
