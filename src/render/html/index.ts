// Every report as one page for a browser: nothing is fetched, and what comes from elsewhere stays text.

import type { Format } from "../format.ts";
import { applyPage, driftPage, failurePage, planPage, validatePage } from "./pages.ts";
import { isPlain } from "../../view/report.ts";

/**
 * Addresses in it are text and no links: they come from the service and from strangers' pull requests, and a report lends
 * them the looks of something that can be trusted. Only the CI's own pages are linked.
 */
export const html: Format = {
  render: (report, context) => {
    if (isPlain(report)) return "";
    switch (report.of) {
      case "validate":
        return validatePage(report, context);
      case "plan":
        return planPage(report, context);
      case "drift":
        return driftPage(report, context);
      case "apply":
      case "held":
        return applyPage(report, context);
      case "failure":
        return failurePage(report, context);
      default:
        return report satisfies never;
    }
  },
};
