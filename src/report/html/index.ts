// Reports as one HTML page that loads nothing and shows foreign text only as text.

import { composePage } from "../compose-projects.ts";
import type { Format } from "../format.ts";
import { drawHtml } from "./blocks.ts";

export const html: Format = {
  render: (report, context) => {
    const composed = composePage(report, context);
    return composed === null ? "" : drawHtml(composed, context);
  },
};
