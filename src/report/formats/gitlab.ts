// placeholder
import type { Format } from "../format.ts";

export const gitlab: Format = { render: () => "" };
