// The JSON Schemas (draft-7) that editors complete, explain and check files with: made from the zod schemas, and put in
// the shape that yaml-language-server does best with.
//
//   zod makes                          editors get                              because
//   anyOf of texts, numbers, null,     one list of types; words as a pattern    a wrong value gets one mark, with the
//     words, lists                                                              sentence of `validate`
//   a block, alone or in an anyOf      `if` it is a map, `then` its keywords    an unknown key is marked, not its block;
//                                                                               and a block is completed key by key
//   an example that is a map           a snippet, and an example under `then`   as an example of the value it would be
//                                                                               proposed as "[object Object]"

import * as z from "zod";
import { formatInline } from "./yaml.ts";

type BuiltSchema = z.core.JSONSchema.BaseSchema;

/** Keywords that are undefined are none: JSON leaves them out. */
type Keywords = Readonly<Record<string, unknown>>;

/** Keywords that belong to a value, whatever its type. */
const NO_LIMITS = new Set(["type", "title", "description", "examples", "default", "errorMessage", "anyOf"]);

/** The JSON Schema of what a person may write. Throws where it has a shape that the table above does not know. */
export function editorSchema(schema: z.ZodType): Keywords {
  const made = z.toJSONSchema(schema, {
    target: "draft-7",
    io: "input",
    override: ({ zodSchema, jsonSchema }) => {
      const message = z.safeParse(zodSchema, Symbol("of no type that a file can hold")).error?.issues[0]?.message;
      if (message !== undefined) jsonSchema["errorMessage"] = message;
    },
  });
  const { $schema, title, description } = made;
  return { $schema, title, description, ...ofMap(made, "") };
}

/** Arranges the schema of a value and all below it. Without a title of its own, a value has its key path for one. */
function arranged(schema: BuiltSchema, path: string): Keywords {
  const { title, description, default: usual, examples = [], errorMessage } = schema;
  const branches = branchesOf(schema);
  const [map, ...moreMaps] = branches.filter(({ type }) => type === "object");
  if (moreMaps.length > 0) throw new Error(`${path}: more than one kind of map`);
  const mapExamples = examples.filter(isMap);
  const values = ofValues(
    branches.filter((branch) => branch !== map),
    map !== undefined,
    path,
  );
  return {
    title: title ?? path,
    description,
    markdownDescription: description === undefined ? undefined : explained(description, usual),
    ...values,
    default: usual,
    examples: someOf(examples.filter((example) => !isMap(example))),
    defaultSnippets: someOf(mapExamples.map(snippet)),
    errorMessage,
    ...(map === undefined
      ? {}
      : {
          if: { type: "object" },
          // oxlint-disable-next-line unicorn/no-thenable -- a word of JSON Schema
          then: { examples: someOf(mapExamples), ...ofMap(map, title === undefined ? path : "") },
        }),
  };
}

function branchesOf(schema: BuiltSchema): BuiltSchema[] {
  return schema.anyOf === undefined ? [schema] : schema.anyOf.flatMap(branchesOf);
}

/** What limits a map: its keys, and what may stand under each. */
function ofMap(map: BuiltSchema, path: string): Keywords {
  const { properties, propertyNames, additionalProperties, required, minProperties, dependencies } = map;
  const keys = Object.entries(properties ?? {});
  return {
    type: "object",
    properties:
      keys.length === 0
        ? undefined
        : Object.fromEntries(
            keys.map(([key, value]) => [key, isSchema(value) ? arranged(value, join(path, key)) : value]),
          ),
    propertyNames: isSchema(propertyNames) ? ofKeys(propertyNames) : undefined,
    additionalProperties: isSchema(additionalProperties) ? arranged(additionalProperties, path) : additionalProperties,
    required,
    minProperties,
    dependencies,
  };
}

/**
 * What limits keys. The pattern stands apart, so that editors show our sentence and not the pattern; and that keys are
 * texts is not said, because yaml-language-server takes `2024:` for a number.
 */
function ofKeys({ title, description, anyOf, pattern, errorMessage }: BuiltSchema): Keywords | undefined {
  return pattern === undefined ? undefined : { title, description, anyOf, allOf: [{ pattern, errorMessage }] };
}

/** One schema for the values that are no map. Beside values of other types that are not words, words become a pattern. */
function ofValues(branches: readonly BuiltSchema[], besideMap: boolean, path: string): Keywords {
  const types = branches.flatMap(({ type = [] }) => type);
  if (new Set(types).size < types.length) throw new Error(`${path}: two alternatives of one type`);
  const {
    enum: words,
    const: word,
    ...limits
  } = Object.assign({}, ...branches.map((branch) => limitsOf(branch, path)));
  const all = [...(besideMap ? ["object"] : []), ...types];
  const type = all.length === 1 ? all[0] : all;
  if (words === undefined && word === undefined) return { type, ...limits };
  if (branches.length === 1 && !besideMap) return { type, enum: words, const: word, ...limits };
  const known = branches.flatMap(wordsOf);
  const isList = !besideMap && branches.every((branch) => branch.type === "null" || wordsOf(branch).length > 0);
  return isList
    ? { type, enum: types.includes("null") ? [...known, null] : known, ...limits }
    : { type, pattern: `^(${known.join("|")})$`, ...limits };
}

function wordsOf(branch: BuiltSchema): readonly unknown[] {
  return branch.enum ?? (branch.const === undefined ? [] : [branch.const]);
}

/** What limits a value of one type. Whole numbers of JavaScript have an end, of which files know nothing. */
function limitsOf(branch: BuiltSchema, path: string): Keywords {
  const limits = Object.entries(branch).filter(
    ([keyword, value]) =>
      !NO_LIMITS.has(keyword) && value !== Number.MIN_SAFE_INTEGER && value !== Number.MAX_SAFE_INTEGER,
  );
  return Object.fromEntries(
    limits.map(([keyword, value]) => [keyword, keyword === "items" && isSchema(value) ? arranged(value, path) : value]),
  );
}

/** What editors show on hover. They show examples, too, but no defaults. */
function explained(description: string, usual: unknown): string {
  if (usual === undefined) return description;
  return `${description}\n\nDefault: \`${formatInline(usual)}\`${usual === null ? " (nothing)" : ""}.`;
}

function snippet(example: object): Keywords {
  return { label: formatInline(example), body: example };
}

function join(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}

function someOf<Item>(items: readonly Item[]): readonly Item[] | undefined {
  return items.length === 0 ? undefined : items;
}

function isMap(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isSchema(value: unknown): value is BuiltSchema {
  return isMap(value);
}
