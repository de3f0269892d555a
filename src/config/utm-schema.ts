// The zod schemas of `utm`: of links and defaults, and the values that a project allows.

import * as z from "zod";
import { UTM_KEYS, UTM_VALUE, utmParameter, type UtmKey } from "../domain/utm.ts";
import { block, optional, text } from "./field-schema.ts";

const ABOUT: Readonly<Record<UtmKey, { readonly about: string; readonly example: string }>> = {
  source: { about: "Where visitors come from.", example: "newsletter" },
  medium: { about: "The kind of channel.", example: "email" },
  campaign: { about: "The campaign.", example: "spring-2027" },
  term: { about: "The search term of a paid ad.", example: "running-shoes" },
  content: { about: "Which of several links or ads of a campaign it is.", example: "header" },
  id: { about: "The id of the campaign.", example: "sp27" },
};

const aboutValue = "This must be text of 1 to 2048 characters, without control characters.";
const utmText = z.union([z.string(aboutValue).trim().regex(UTM_VALUE, aboutValue), z.number(), z.boolean()], {
  error: aboutValue,
});

function shapeOf(of: (key: UtmKey) => z.ZodType): Record<string, z.ZodType> {
  return Object.fromEntries(UTM_KEYS.map((key) => [key, of(key)]));
}

const aboutUtm = `This must be \`none\`, or a map with any of these keys: ${UTM_KEYS.join(", ")}.`;

/** `utm` of a link or of the defaults. */
export const utmSchema: z.ZodType = optional(
  "UTM parameters that are appended to `url` and to the destinations of `targeting`. The nearest value of each key wins: link, file, project. `none` clears all defaults.",
  [{ source: "newsletter", medium: "email", campaign: "spring-2027" }],
  z
    .union(
      [
        z.literal("none"),
        block(
          shapeOf((key) =>
            optional(
              `${ABOUT[key].about} Appended as \`${utmParameter(key)}\`. \`null\` overrides a default.`,
              [ABOUT[key].example],
              utmText.nullable(),
            ),
          ),
          aboutUtm,
        ),
      ],
      { error: aboutUtm },
    )
    .nullable(),
);

/** Longer lists need a pattern: every wrong value is compared with the whole list. */
const MOST_VALUES = 1000;
const aboutAllowed = "This must be a list of values, or a pattern such as `[a-z0-9-]+`.";

/** `utm` of the project file. */
export const vocabularySchema: z.ZodType = optional(
  "The UTM values that links may have. Another value is reported by the rule `utm-value`.",
  [{ source: ["newsletter", "instagram"], medium: ["email", "social"], campaign: "[a-z0-9-]+" }],
  block(
    shapeOf((key) =>
      optional(
        `Allowed values of \`${utmParameter(key)}\`: a list, or a pattern in RE2 syntax for the whole value. Default: any value.`,
        [[ABOUT[key].example], "[a-z0-9-]+"],
        z.union(
          [
            z
              .array(utmText.meta({ description: "An allowed value." }), { error: aboutAllowed })
              .min(1, "This must have at least one item.")
              .max(MOST_VALUES, `This has more than ${MOST_VALUES} values. Use a pattern instead.`),
            text,
          ],
          { error: aboutAllowed },
        ),
      ),
    ),
  ),
);
