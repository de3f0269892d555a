// Every report as one page for a browser: nothing is fetched, and what comes from elsewhere stays text.

import type { Format } from "../format.ts";
import { failurePage, validatePage } from "./findings-page.ts";
import { applyPage, driftPage, planPage } from "./planned.ts";
import { isPlainReport } from "../../view/report.ts";

/**
 * Addresses in it are text and no links: they come from the service and from strangers' pull requests, and a report lends
 * them the looks of something that can be trusted. Only the CI's own pages are linked.
 */
export const html: Format = {
  render: (report, setting) => {
    if (isPlainReport(report)) return "";
    switch (report.of) {
      case "validate":
        return validatePage(report, setting);
      case "plan":
        return planPage(report, setting);
      case "drift":
        return driftPage(report, setting);
      case "apply":
      case "held":
        return applyPage(report, setting);
      case "failure":
        return failurePage(report, setting);
      default:
        return report satisfies never;
    }
  },
};
