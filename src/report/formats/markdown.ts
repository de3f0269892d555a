// placeholder
import type { Format } from "../format.ts";

export const markdown: Format = { render: () => "" };
