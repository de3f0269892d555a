// The forms of link and pixel fields, from the field table, and of `utm`.

import { groupBy } from "../domain/collections.ts";
import { ROUGH_ADDRESS } from "../domain/address.ts";
import type { Example, FieldSpec, InstantSpec, KeyShape, MapSpec, ReferenceSpec, TextSpec } from "../domain/field.ts";
import {
  blockFields,
  DESTINATION,
  fieldAt,
  groupFields,
  GROUPS,
  KEY_FIELD,
  textProblem,
  type ResourceKind,
} from "../domain/table.ts";
import { codeLike, nearest } from "../domain/nearest.ts";
import { SOFTWARE } from "../domain/software.ts";
import { nameVersions } from "../domain/visit.ts";
import { UTM_KEYS, UTM_VALUE, utmParameter, type UtmKey } from "../domain/utm.ts";
import { allWords, wireOf } from "../domain/wire.ts";
import { takesNull } from "./fields.ts";
import {
  about,
  block,
  flag,
  listOf,
  mapOf,
  matching,
  orEmpty,
  shown,
  text,
  textList,
  textThat,
  wordOf,
  type Form,
  type KeyForm,
  type Keywords,
} from "./form.ts";
import { ABSOLUTE, CLIMBS, leavesFolder } from "./path-glob.ts";
import { formatInline } from "./yaml.ts";

function writtenText(spec: TextSpec): Form {
  const pattern = (spec.isAddress ? ROUGH_ADDRESS : spec.pattern).source;
  const problem = (written: string): string | null => textProblem(spec, written.trim());
  const message = `This must be ${spec.shape}.`;
  const form: Form = { message, text: { problem, keywords: { pattern, maxLength: spec.longest } } };
  return spec.pattern.test("1") && !spec.isAddress ? { ...form, isAsWritten: true } : form;
}

const destination = shown(writtenText(DESTINATION), { examples: [DESTINATION.example] });

const oneSource = "This must have either `env` or `file`.";

const secret: Form = {
  ...block(
    {
      env: about(
        "Environment variable with the secret. Its name must start with LINKFORM_SECRET_.",
        ["LINKFORM_SECRET_SPRING"],
        matching(
          /^LINKFORM_SECRET_[A-Z0-9_]+$/,
          "This must be the name of an environment variable: LINKFORM_SECRET_ followed by uppercase letters, digits or _.",
        ),
      ),
      file: about(
        "Path of the file with the secret, inside the project folder.",
        ["secrets/spring.txt"],
        textThat((path) => path !== "" && !leavesFolder(path), "This must be a path inside the project folder.", {
          minLength: 1,
          pattern: `^(?!${ABSOLUTE.source})(?!.*${CLIMBS.source})`,
        }),
      ),
    },
    {
      message: "A secret must be `{ env: LINKFORM_SECRET_… }`, `{ file: path }` or `none`, never the value itself.",
      problem: ({ entries }) => (entries.length === 1 ? null : oneSource),
      keywords: { minProperties: 1, dependencies: { env: { properties: { file: false }, errorMessage: oneSource } } },
    },
  ),
  text: { words: ["none"] },
  isSecret: true,
};

/** The form of a field's value by kind, without `null`. */
export function valueForm(spec: FieldSpec): Form {
  switch (spec.kind) {
    case "text":
      return writtenText(spec);
    case "secret":
      return secret;
    case "flag":
      return flag;
    case "count":
      return {
        message: `This must be a whole number from 1 to ${spec.most}, or \`none\`.`,
        text: { words: ["none"] },
        number: { isWhole: true, least: 0, most: spec.most },
      };
    case "word":
      return wordOf([...allWords(spec), ...Object.keys(spec.synonyms)], spec.meanings);
    case "reference":
      return reference(spec.to);
    case "references":
      return textList(`The name of a ${spec.to}.`);
    case "instant":
      return matching(/^(\d{4}-\d{2}-\d{2}|none)$/, "This must be a date (YYYY-MM-DD) or `none`.");
    case "map":
      return targets(spec);
    case "list":
      return listOf(destination, "A destination.");
    default:
      return spec satisfies never;
  }
}

/** Destinations by key. The pattern is the rule; editors suggest `words`. */
function targets({ about: description, keys }: MapSpec): Form {
  const { noun, pattern, shape, words } = keys;
  const proposed = words.length === 0 ? {} : { anyOf: [{ enum: words }, { type: "string" }] };
  const keywords = { title: noun, description, ...proposed };
  const value = shown(destination, { description: `Destination for visitors with this ${noun}.` });
  return mapOf(value, {
    key: { message: `A ${noun} must be ${shape}.`, pattern, keywords, hint: (key) => keyHint(key, keys) },
  });
}

/** The probable fix of a key of a targeting map: for a locale, one of its parts. */
function keyHint(key: string, keys: KeyShape): string | null {
  const part = key.split(/[-_]/).find((one) => keys.pattern.test(one)) ?? key;
  const word = nearest(key, keys.words) ?? codeLike(part, keys);
  return word && `Did you mean \`${word}\`?`;
}

/** A label, name or id of a domain or space. A domain has no slash, because it is before the slash of a key. */
export function reference(to: ReferenceSpec["to"]): Form {
  const message = `This must be the label, name or id of a ${to}.`;
  const bare = `This must be only the ${to}, without \`https://\` or slashes, such as go.example.com.`;
  const isDomain = to === "domain";
  return {
    message,
    text: {
      problem: (written) => (written.trim() === "" ? message : isDomain && written.includes("/") ? bare : null),
      keywords: { minLength: 1, ...(isDomain && { pattern: "^[^/]*$" }) },
    },
    number: { least: 1 },
    flag: true,
  };
}

function fieldForm(spec: FieldSpec): Form {
  const form = takesNull(spec) ? orEmpty(valueForm(spec)) : valueForm(spec);
  const cleared = { ...form, clearedBy: spec.opens?.word };
  return about(`${spec.about}${versionNote(spec)}`, [spec.example], cleared, defaultOf(spec));
}

function versionNote(spec: FieldSpec): string {
  const having = SOFTWARE.filter((software) => wireOf(spec, software) !== null);
  return having.length === SOFTWARE.length ? "" : ` Available only in ${nameVersions(having)} of the service.`;
}

/** The `default` keyword; none if omitting the field does not mean the default. */
function defaultOf(spec: FieldSpec): Keywords {
  if (spec.required || Object.values(GROUPS).some(({ active }) => active === spec.path)) return {};
  const hasWord = spec.kind === "flag" || spec.kind === "word";
  return { default: hasWord ? spec.default : (spec.opens?.word ?? null) };
}

function timeOf(spec: InstantSpec): Form {
  const date = spec.path.split(".").at(-1);
  return about(
    `Time of day (HH:MM) for \`${date}\`, in the time zone of the files.${versionNote(spec)}`,
    ["18:00"],
    orEmpty(matching(/^([01]\d|2[0-3]):[0-5]\d$/, "This must have the form HH:MM, from 00:00 to 23:59.")),
    { default: spec.timeDefault },
  );
}

/** The forms of a kind's fields. Fields with a dotted path are grouped. */
export function fieldForms(kind: ResourceKind): Record<string, Form> {
  const keys = groupBy(blockFields(kind), ({ path }) => path.split(".")[0] ?? path);
  const formOf = (key: string, specs: readonly FieldSpec[]): Form => {
    const [spec] = specs;
    if (spec?.path === key) return fieldForm(spec);
    const members = specs.flatMap((one) => [
      [one.path, fieldForm(one)] as const,
      ...(one.kind === "instant" ? [[one.timePath, timeOf(one)] as const] : []),
    ]);
    return groupForm(key, Object.fromEntries(members.map(([path, form]) => [path.slice(key.length + 1), form])));
  };
  return Object.fromEntries([...keys].map(([key, specs]) => [key, formOf(key, specs)]));
}

/** The key of a block, which keys.ts checks. */
export function keyForm(kind: ResourceKind): KeyForm {
  const spec = fieldAt(kind, KEY_FIELD[kind]);
  if (spec?.kind !== "text") throw new Error(`the key of a ${kind} is no text`);
  const own = spec.pattern.source.replace(/^\^|\$$/g, "");
  const form = kind === "link" ? `its alias (${spec.shape}), or domain/alias` : spec.shape;
  return {
    message: `The key of a ${kind} must be ${form}.`,
    pattern: new RegExp(kind === "link" ? `^([^/]+/)?${own}$` : `^${own}$`, "u"),
    isForEditors: true,
    keywords: { title: KEY_FIELD[kind], description: spec.about },
  };
}

/** The smallest block of a kind, and a map that has it. */
export function exampleOf(kind: ResourceKind): { block: Example; map: Example } {
  const required = blockFields(kind).filter((spec) => spec.required && spec.kind !== "reference");
  const example = Object.fromEntries(required.map((spec) => [spec.path, spec.example]));
  return { block: example, map: { [formatInline(fieldAt(kind, KEY_FIELD[kind])?.example)]: example } };
}

function groupForm(group: string, members: Readonly<Record<string, Form>>): Form {
  const clearedBy = groupFields(group).find(({ opens }) => opens !== null)?.opens?.word;
  const form: Form = { ...block(members), text: { words: ["none"] }, clearedBy };
  const { about: description = "", example } = GROUPS[group] ?? {};
  return about(description, [example], clearedBy === undefined ? orEmpty(form) : form, { default: "none" });
}

const UTM: Readonly<Record<UtmKey, readonly [about: string, example: string]>> = {
  source: ["Where visitors come from.", "newsletter"],
  medium: ["The kind of channel.", "email"],
  campaign: ["The campaign.", "spring-2027"],
  term: ["The search term of a paid ad.", "running-shoes"],
  content: ["Which of several links or ads of a campaign it is.", "header"],
  id: ["The id of the campaign.", "sp27"],
};

function utmBlock(of: (parameter: string, description: string, example: string) => Form): Form {
  return block(Object.fromEntries(UTM_KEYS.map((key) => [key, of(utmParameter(key), ...UTM[key])])));
}

const isUtm = (written: string): boolean => UTM_VALUE.test(written.trim());
const aboutUtm = "This must be text of 1 to 2048 characters, without control characters.";
export const utmText: Form = { ...textThat(isUtm, aboutUtm, { pattern: UTM_VALUE.source }), isAsWritten: true };

export const utmForm: Form = about(
  "UTM parameters that are appended to `url` and to the destinations of `targeting`. The nearest value of each key wins: link, file, project. `none` clears all defaults.",
  [{ source: "newsletter", medium: "email", campaign: "spring-2027" }],
  {
    ...utmBlock((parameter, description, example) =>
      about(`${description} Appended as \`${parameter}\`. \`null\` overrides a default.`, [example], orEmpty(utmText)),
    ),
    text: { words: ["none"] },
    empty: true,
  },
);

/** Longer lists need a pattern: every wrong value is compared with the whole list. */
const MOST_UTM_VALUES = 1000;

const allowedUtm = {
  ...listOf(utmText, "An allowed value.", {
    isFilled: true,
    most: { count: MOST_UTM_VALUES, message: `This has more than ${MOST_UTM_VALUES} values. Use a pattern instead.` },
  }),
  ...text,
  message: "This must be a list of values, or a pattern such as `[a-z0-9-]+`.",
};

export const vocabularyForm: Form = about(
  "The UTM values that links may have. Another value is reported by the rule `utm-value`.",
  [{ source: ["newsletter", "instagram"], medium: ["email", "social"], campaign: "[a-z0-9-]+" }],
  utmBlock((parameter, _, example) =>
    about(
      `Allowed values of \`${parameter}\`: a list, or a pattern in RE2 syntax for the whole value. Default: any value.`,
      [[example], "[a-z0-9-]+"],
      allowedUtm,
    ),
  ),
);
