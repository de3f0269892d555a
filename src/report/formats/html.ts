// placeholder
import type { Format } from "../format.ts";

export const html: Format = { render: () => "" };
