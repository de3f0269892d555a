// The JSON Schemas (draft-7) with which editors complete, explain and check files, arranged for yaml-language-server.
//
//   a form                   its keywords                           because
//   of several types         one list of types; words as a pattern  a wrong value gets one mark, with the sentence of
//                                                                   `validate`
//   of a map                 `if` it is a map, `then` its keywords  an unknown key is marked, not its block; and a block
//                                                                   is completed key by key
//   with a map as example    a snippet, and an example in `then`    as an example of the value it would be proposed as
//                                                                   "[object Object]"
//   of a value in a family   a string can have a placeholder        only `validate` knows its value

import type { Form, KeyForm, Keywords, MapForm } from "../src/config/form.ts";
import { formatInline } from "../src/config/yaml.ts";

/** A place for a form: its key path, and whether it is in a family. */
interface Place {
  readonly path: string;
  readonly isTemplate: boolean;
}

/** The JSON Schema of a file format. */
export function editorSchema({ map = {}, shown: { title, description } = {} }: Form): Keywords {
  const $schema = "http://json-schema.org/draft-07/schema#";
  return { $schema, title, description, ...mapKeywords(map, { path: "", isTemplate: false }) };
}

/** The keywords of a value. The default title is the key path. */
function valueKeywords(form: Form, { path, isTemplate: isInTemplate }: Place): Keywords {
  const { message, map, shown = {} } = form;
  const { title, description, examples, default: defaultValue, ...more } = shown;
  const isTemplate = isInTemplate || form.isTemplate === true;
  const all: readonly unknown[] = Array.isArray(examples) ? examples : [];
  const maps = all.filter(isMap);
  const limits = limitsOf(form, { path, isTemplate });
  return {
    title: title ?? path,
    description,
    markdownDescription: typeof description === "string" ? hoverText(description, defaultValue) : undefined,
    ...(isTemplate ? withPlaceholders(limits) : limits),
    ...more,
    default: defaultValue,
    examples: nonEmpty(all.filter((example) => !isMap(example))),
    defaultSnippets: nonEmpty(maps.map((body) => ({ label: formatInline(body), body }))),
    errorMessage: message,
    ...(map !== undefined && {
      if: { type: "object" },
      // oxlint-disable-next-line unicorn/no-thenable -- a word of JSON Schema
      then: {
        examples: nonEmpty(maps),
        ...mapKeywords(map, { path: title === undefined ? path : "", isTemplate }),
      },
    }),
  };
}

/** The types of a value, and their limits. Next to other types, words are a pattern. */
function limitsOf({ text, isAsWritten, number, flag, empty, list, map }: Form, place: Place): Keywords {
  const types = [
    map && "object",
    text && "string",
    (isAsWritten || number) && (number?.isWhole === true ? "integer" : "number"),
    (isAsWritten || flag) && "boolean",
    list && "array",
    empty && "null",
  ].filter((type) => typeof type === "string");
  const words = [...(text?.words ?? []), ...(number?.words ?? []), ...(empty === true ? [null] : [])];
  const isOnlyWords = types.length === [text?.words, number?.words, empty].filter((one) => one !== undefined).length;
  return {
    type: types.length === 1 ? types[0] : types,
    ...(isOnlyWords && { enum: words }),
    ...(!isOnlyWords && text?.words && { pattern: `^(${text.words.join("|")})$` }),
    ...text?.keywords,
    minimum: number?.least,
    maximum: number?.most,
    ...(list && {
      minItems: list.isFilled === true ? 1 : undefined,
      maxItems: list.most?.count,
      items: valueKeywords(list.item, place),
    }),
  };
}

const PLACEHOLDER = "\\{[A-Za-z][A-Za-z0-9_.-]*\\}";

/** The limits of a value that can also be a string with a placeholder. */
function withPlaceholders(limits: Keywords): Keywords {
  const { maxLength: _, enum: words, pattern, type, ...rest } = limits;
  const types = [type].flat();
  if (types.length === 1 && types[0] === "object") return { ...rest, type };
  // A type without strings gets them only for placeholders.
  if (!types.includes("string")) return { ...rest, type: [...types, "string"], pattern: PLACEHOLDER };
  return {
    ...rest,
    type,
    ...(words !== undefined && { anyOf: [{ enum: words }, { pattern: PLACEHOLDER }] }),
    ...(typeof pattern === "string" && { pattern: `${pattern}|${PLACEHOLDER}` }),
  };
}

/** The keywords of a map. */
function mapKeywords({ keys, key, value, ...map }: MapForm, { path, isTemplate }: Place): Keywords {
  // A key of a link in a family has the title that it has in a link.
  const inside = (step: string, form: Form): Place => ({
    path: path === "" || form.isTemplate === true ? step : `${path}.${step}`,
    isTemplate,
  });
  return {
    type: "object",
    properties:
      keys && Object.fromEntries([...keys].map(([step, form]) => [step, valueKeywords(form, inside(step, form))])),
    propertyNames: key && keyKeywords(key),
    additionalProperties: value === undefined ? false : valueKeywords(value, { path, isTemplate }),
    required: map.required,
    minProperties: map.isFilled === true ? 1 : undefined,
    maxProperties: map.most?.count,
    ...map.keywords,
  };
}

/** `allOf` shows our message instead of the pattern. Without `type: string`: yaml-language-server reads `2024:` as a number. */
function keyKeywords({ message, pattern, keywords }: KeyForm): Keywords {
  return { ...keywords, allOf: [{ pattern: pattern.source, errorMessage: message }] };
}

/** The text of a hover. Editors add examples by themselves, but not the default. */
function hoverText(description: string, defaultValue: unknown): string {
  if (defaultValue === undefined) return description;
  return `${description}\n\nDefault: \`${formatInline(defaultValue)}\`${defaultValue === null ? " (nothing)" : ""}.`;
}

function nonEmpty<Item>(items: readonly Item[]): readonly Item[] | undefined {
  return items.length === 0 ? undefined : items;
}

function isMap(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
