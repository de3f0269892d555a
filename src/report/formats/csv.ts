// Rows for a spreadsheet.

import type { Format } from "../format.ts";

export const csv: Format = { render: () => "" };
