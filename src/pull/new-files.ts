// New files: their names, which are valid on every file system and matched by the globs of the project, and their texts.

import { isJsonFile } from "../config/json.ts";
import { parsePathGlob, PathMatcher } from "../config/path-glob.ts";
import { fold } from "../domain/fold.ts";
import { blockFields, GROUPS, REFERENCE_FIELD, SECTION, type ResourceKind } from "../domain/table.ts";
import { yamlText, type NewBlock, type YamlContent, type YamlEntry } from "../edit/yaml-text.ts";
import { UserError } from "../errors.ts";

/**
 * Finds a new path for each file. A `name` without valid characters becomes that of the section. Throws a user error if no glob matches a
 * new path. `taken`: paths of the project's files. `exists`: whether there is another file, or a folder.
 */
export function newPaths(
  globs: readonly string[],
  taken: Iterable<string>,
  exists: (path: string) => boolean = () => false,
): (kind: ResourceKind, name: string) => string {
  // Folded, because some file systems ignore case and accents.
  const known = new Set([...taken].map(fold));
  return (kind, name) => {
    const safe = safeName(name) ?? SECTION[kind];
    // A glob with `pixel` in it is for pixels only.
    const isFitting = (glob: string): boolean => /pixel/i.test(glob) === (kind === "pixel");
    const glob = [...globs.filter(isFitting), ...globs].find((one) =>
      [safe, `${safe}-2`].some((own) => pathIn(one, own) !== null),
    );
    if (glob === undefined) {
      const listed = globs.map((one) => `\`${one}\``).join(", ");
      const message = `No glob in \`files\` matches the path of a new file (${listed || "no globs"}).`;
      const hint = "Add a glob for a folder, such as `links/**/*.yaml`, and create a file in this folder.";
      throw new UserError("no-glob", message, { hint });
    }
    for (let number = 1; ; number += 1) {
      const path = pathIn(glob, number === 1 ? safe : `${safe}-${number}`);
      if (path === null || known.has(fold(path)) || exists(path)) continue;
      known.add(fold(path));
      return path;
    }
  };
}

/** The YAML file with this name in the first folder that the glob matches; null if there is none. */
export function pathIn(glob: string, name: string): string | null {
  const plain = glob.replace(/^\.\//, "").replace(/\/$/, "");
  const read = parsePathGlob(plain);
  if (!("glob" in read)) return null;
  const matcher = new PathMatcher([read.glob]);
  const paths = alternatives(plain).flatMap((one) => namedPath(one, name) ?? []);
  return paths.find((path) => !isJsonFile(path) && matcher.matches(path)) ?? null;
}

function alternatives(glob: string): string[] {
  const [braces, list] = /\{([^{}]*)\}/.exec(glob) ?? [];
  if (braces === undefined || list === undefined) return [glob];
  return list.split(",").flatMap((one) => alternatives(glob.replace(braces, () => one)));
}

/** The path with the name in place of `*`, or of `**` without a `*`, so that each name has another path; null without either. */
function namedPath(glob: string, name: string): string | null {
  const segments = glob.replace(/(^|\/)\*\*$/, "$1*.yaml").split("/");
  const own = segments.filter((segment) => segment !== "**");
  const isOpen = own.some((segment) => segment.includes("*"));
  if (!isOpen && own.length === segments.length) return null;
  return (isOpen ? own : segments).map((one) => one.replace(/\*+/, () => name).replaceAll("*", "")).join("/");
}

/** In characters. Names may have 255 bytes, and a character at most four. */
const MAX_LENGTH = 50;

/** Device names on Windows, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/;

/** The letters, digits, `-`, `_` and inner dots of a text; null if there are none. */
export function safeName(text: string): string | null {
  const characters = text
    .normalize("NFKC")
    .toLowerCase()
    .normalize("NFC")
    .replaceAll(/[^\p{L}\p{M}\p{N}._-]+/gu, "-")
    .replaceAll(/([.-])(?=\1)/g, "");
  const name = trimmed([...trimmed(characters)].slice(0, MAX_LENGTH).join(""));
  if (name === "") return null;
  return DEVICE.test(name) ? `links-${name}` : name;
}

/** A name cannot begin with a combining mark. */
function trimmed(name: string): string {
  return name.replace(/^[\p{M}._-]+/u, "").replace(/[._-]+$/, "");
}

export function schemaLine(schema: string | null): string {
  return schema === null ? "" : `# yaml-language-server: $schema=${schema}\n`;
}

/** The line for a new resource file. Its schema is in the folder of the schema that the project file names, or where npm installs it. */
export function resourceSchemaLine(projectText: string, file: string): string {
  const [, folder = "node_modules/linkform/schemas/"] =
    /^\uFEFF?# yaml-language-server: \$schema=(\S*)project\.schema\.json\s*$/m.exec(projectText) ?? [];
  // A URL or an absolute path.
  const isAbsolute = /^(?:\/|[a-z][a-z0-9+.-]*:)/i.test(folder);
  const up = isAbsolute ? "" : "../".repeat(file.split("/").length - 1);
  return schemaLine(`${up}${folder}resource.schema.json`);
}

/** `head`: the lines above everything else. Values that all links have are the `defaults` of the file. */
export function newFileText(kind: ResourceKind, head: string, blocks: readonly NewBlock[]): string {
  const shared = kind === "link" && blocks.length > 1 ? sharedEntries(blocks) : [];
  const domain = shared.find(({ key }) => key === REFERENCE_FIELD.domain)?.value;
  const others = new Set(shared.map(({ key }) => key));
  const entries = blocks.map(({ key, value, ...rest }): NewBlock => ({
    ...rest,
    // An alias contains no slash.
    key: domain === undefined ? key : key.slice(key.lastIndexOf("/") + 1),
    value: { entries: value.entries.filter((one) => !others.has(one.key)) },
  }));
  const defaults: YamlEntry = { key: "defaults", value: { entries: [{ key: kind, value: { entries: shared } }] } };
  const sections = [...(shared.length === 0 ? [] : [defaults]), { key: SECTION[kind], value: { entries } }];
  return head + sections.map((section) => yamlText({ entries: [section] })).join("\n");
}

/** Fields whose default also suits the next link. A secret, flag, date, count or destination would surprise its author. */
const SHARED = blockFields("link").filter(({ kind, path }) => {
  const group = GROUPS[path.split(".")[0] ?? path];
  return (kind === "reference" || kind === "references" || kind === "word") && group?.replacesAsWhole !== true;
});

function sharedEntries(blocks: readonly NewBlock[]): YamlEntry[] {
  return SHARED.flatMap(({ path }): YamlEntry[] => {
    const [first, ...others] = blocks.map((block) => valueAt(block, path));
    const isShared = others.every((one) => JSON.stringify(one) === JSON.stringify(first));
    return first === undefined || !isShared ? [] : [{ key: path, value: first }];
  });
}

function valueAt({ key, value }: NewBlock, path: string): YamlContent | undefined {
  if (path !== REFERENCE_FIELD.domain) return value.entries.find((one) => one.key === path)?.value;
  return key.includes("/") ? key.slice(0, key.lastIndexOf("/")) : undefined;
}
