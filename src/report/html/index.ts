// Reports as one HTML page that loads nothing and shows foreign text only as text.

import type { Format } from "../format.ts";
import { applyPage, driftPage, failurePage, planPage, validatePage } from "./pages.ts";
import { projectsPage } from "./projects.ts";
import { isPlainReport } from "../report.ts";

/**
 * URLs are shown as text: they come from the service and from pull requests of strangers, and a link in a report looks
 * trustworthy. Only pages of the CI are linked.
 */
export const html: Format = {
  render: (report, context) => {
    if (isPlainReport(report)) return "";
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
      case "projects":
        return projectsPage(report, context);
      default:
        return report satisfies never;
    }
  },
};
