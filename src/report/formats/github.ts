// placeholder
import type { Format } from "../format.ts";

export const github: Format = { render: () => "" };
