// The first line of a file, where editors find the path of its schema.

export function schemaLine(schema: string | null): string {
  return schema === null ? "" : `# yaml-language-server: $schema=${schema}\n`;
}

/** Where npm installs the schemas, relative to the project folder. */
const DEFAULT_FOLDER = "node_modules/linkform/schemas/";

/** The line for a new resource file. Its schema is in the folder of the schema that the project file names. */
export function resourceSchemaLine(projectText: string, file: string): string {
  const [, folder = DEFAULT_FOLDER] =
    /^\uFEFF?# yaml-language-server: \$schema=(\S*)project\.schema\.json\s*$/m.exec(projectText) ?? [];
  // A URL or an absolute path.
  const isAbsolute = /^(?:\/|[a-z][a-z0-9+.-]*:)/i.test(folder);
  const up = isAbsolute ? "" : "../".repeat(file.split("/").length - 1);
  return schemaLine(`${up}${folder}resource.schema.json`);
}
