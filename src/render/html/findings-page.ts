// The pages that hold nothing but findings: of the files, or of why nothing could be planned.

import { secretFinder } from "../../view/redaction.ts";
import { severityCounts } from "../../view/diagnostics.ts";
import { sortBySeverity } from "../../view/diagnostics.ts";
import { SEVERITY_WORDS } from "../../view/diagnostics.ts";
import { plural } from "../../view/counts.ts";
import type { Setting } from "../format.ts";
import { NOTHING_DONE } from "../../view/report.ts";
import type { FailureReport, ValidateReport } from "../../view/report.ts";
import { banner } from "./assemble.ts";
import { FileNumbers, filterForm, optionsOf } from "./filter.ts";
import { findingCard } from "./finding.ts";
import { markup } from "./markup.ts";
import { page } from "./page.ts";

/** Fewer are seen at a glance. */
const LEAST = 4;

/** What is wrong with the files. */
export function validatePage({ diagnostics, isValid, files }: ValidateReport, setting: Setting): string {
  const sources = { setting, conceal: secretFinder() };
  const counts = severityCounts(diagnostics);
  const numbers = new FileNumbers();
  const sorted = sortBySeverity(diagnostics);
  const cards = sorted.map((one) => findingCard(one, sources, (file) => numbers.count(file)));
  const facets = [
    { name: "severity", title: "Kind", options: optionsOf(sorted, [], ({ severity }) => SEVERITY_WORDS[severity]) },
    { name: "file", title: "File", options: numbers.options(), isLong: true },
  ];
  const form = cards.length < LEAST ? null : filterForm("findings", cards.length, facets);
  const head = {
    of: "validate",
    title: isValid ? "The files are valid" : "The files are not valid",
    lead: `${plural(files, "file")} read${counts === "" ? "" : `, ${counts}`}.`,
    tone: isValid ? ("good" as const) : ("bad" as const),
    baseUrl: null,
  };
  const body = markup`<section id="findings" aria-label="Findings">
<h2 class="hidden">Findings</h2>
${form}<div data-group>
${cards}</div>
</section>
`;
  return page(head, "findings", body, setting);
}

/** Why nothing could be planned or applied. */
export function failurePage({ command, diagnostics, baseUrl }: FailureReport, setting: Setting): string {
  const sources = { setting, conceal: secretFinder() };
  const counts = severityCounts(diagnostics);
  const head = {
    of: command,
    title: NOTHING_DONE[command],
    lead: counts === "" ? null : `${counts}.`,
    tone: "bad" as const,
    baseUrl,
  };
  return page(
    head,
    "errors",
    banner("errors", "What stands in the way", sortBySeverity(diagnostics), sources),
    setting,
  );
}
