// The line by which editors find the schema of a file.

/** The line, with its line break; none where the schema is nowhere. */
export function schemaLine(schema: string | null): string {
  return schema === null ? "" : `# yaml-language-server: $schema=${schema}\n`;
}

/** Where npm puts them for a project, from its folder. */
const USUAL = "node_modules/linkform/schemas/";

/**
 * The schema of a new resource file (its path from the project folder, with `/`), from where it stands: it lies beside the one that the
 * project file names.
 */
export function resourceSchemaFor(projectText: string, file: string): string {
  const [, folder = USUAL] =
    /^# yaml-language-server: \$schema=(\S*)project\.schema\.json\s*$/m.exec(projectText) ?? [];
  // An address, or a path from the root of the machine.
  const isAbsolute = /^(?:\/|[a-z][a-z0-9+.-]*:)/i.test(folder);
  const up = isAbsolute ? "" : "../".repeat(file.split("/").length - 1);
  return `${up}${folder}resource.schema.json`;
}
