// Reports as Markdown for comments and summaries, within a maximum length and with quoted text inert.

import { composePage } from "../compose-projects.ts";
import type { Format } from "../format.ts";
import { drawMarkdown } from "./blocks.ts";

export const markdown: Format = {
  render: (report, context) => {
    const composed = composePage(report, context);
    return composed === null ? "" : drawMarkdown(composed, context);
  },
};
