// The forms of `utm`: of links and defaults, and the values that a project allows.

import { UTM_KEYS, UTM_VALUE, utmParameter, type UtmKey } from "../domain/utm.ts";
import { about, block, listOf, orEmpty, text, textThat, type Form } from "./form.ts";

const ABOUT: Readonly<Record<UtmKey, { readonly about: string; readonly example: string }>> = {
  source: { about: "Where visitors come from.", example: "newsletter" },
  medium: { about: "The kind of channel.", example: "email" },
  campaign: { about: "The campaign.", example: "spring-2027" },
  term: { about: "The search term of a paid ad.", example: "running-shoes" },
  content: { about: "Which of several links or ads of a campaign it is.", example: "header" },
  id: { about: "The id of the campaign.", example: "sp27" },
};

const aboutValue = "This must be text of 1 to 2048 characters, without control characters.";
export const utmText: Form = {
  ...textThat((written) => UTM_VALUE.test(written.trim()), aboutValue, { pattern: UTM_VALUE.source }),
  isAsWritten: true,
};

function keysOf(of: (key: UtmKey) => Form): Record<string, Form> {
  return Object.fromEntries(UTM_KEYS.map((key) => [key, of(key)]));
}

export const utmForm: Form = about(
  "UTM parameters that are appended to `url` and to the destinations of `targeting`. The nearest value of each key wins: link, file, project. `none` clears all defaults.",
  [{ source: "newsletter", medium: "email", campaign: "spring-2027" }],
  {
    ...block(
      keysOf((key) =>
        about(
          `${ABOUT[key].about} Appended as \`${utmParameter(key)}\`. \`null\` overrides a default.`,
          [ABOUT[key].example],
          orEmpty(utmText),
        ),
      ),
    ),
    text: { words: ["none"] },
    empty: true,
  },
);

/** Longer lists need a pattern: every wrong value is compared with the whole list. */
const MOST_VALUES = 1000;

const allowed: Form = {
  ...listOf(utmText, "An allowed value.", {
    isFilled: true,
    most: { count: MOST_VALUES, message: `This has more than ${MOST_VALUES} values. Use a pattern instead.` },
  }),
  ...text,
  message: "This must be a list of values, or a pattern such as `[a-z0-9-]+`.",
};

export const vocabularyForm: Form = about(
  "The UTM values that links may have. Another value is reported by the rule `utm-value`.",
  [{ source: ["newsletter", "instagram"], medium: ["email", "social"], campaign: "[a-z0-9-]+" }],
  block(
    keysOf((key) =>
      about(
        `Allowed values of \`${utmParameter(key)}\`: a list, or a pattern in RE2 syntax for the whole value. Default: any value.`,
        [[ABOUT[key].example], "[a-z0-9-]+"],
        allowed,
      ),
    ),
  ),
);
