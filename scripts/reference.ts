// What the reference pages of docs/ are generated from.

import { Command } from "commander";
import { addCommands } from "../src/cli/program.ts";

export { EXIT_MEANINGS, FORMAT_MEANINGS, VARIABLES } from "../src/cli/help.ts";
export { SHARED_FLAGS } from "../src/cli/flags.ts";
export { FORMATS_OF } from "../src/render/format.ts";
export { PIXEL_VALUES } from "../src/domain/pixel-fields.ts";
export { RULES } from "../src/domain/rules.ts";
export { RULE_GUIDE } from "./rule-guide.ts";

/** The program with all commands. They do nothing. */
export const program: Command = new Command("linkform");
addCommands({ program, run: async () => undefined, runInterruptible: async () => undefined });
