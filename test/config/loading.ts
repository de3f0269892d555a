// Loads projects from a temporary folder.
import { loadProject, type Loaded } from "../../src/config/load.ts";
import { showKey, type Declaration, type Declared, type Project } from "../../src/domain/project.ts";
import { showPlace } from "../../src/domain/place.ts";
import { temporaryFolder, writeFiles } from "../support/scenario.ts";

/** The lines that every project needs. The text after them begins on line 3. */
export const HEAD = "version: 1\nservice: { base_url: https://short.example.com }\n";

/** Loads a project whose project file ends with `text`. Without `now`, no date is in the past. */
export async function load(
  text: string,
  files: Readonly<Record<string, string>> = {},
  now: string | null = null,
): Promise<Loaded> {
  const folder = await temporaryFolder();
  await writeFiles(folder, { "linkform.yaml": `${HEAD}${text}`, ...files });
  return loadProject(`${folder}/linkform.yaml`, now);
}

/** Loads a project that must be without errors. */
export async function loadGood(text: string, files: Readonly<Record<string, string>> = {}): Promise<Project> {
  const { project, diagnostics } = await load(text, files);
  if (project === null) throw new Error(JSON.stringify(diagnostics, null, 1));
  return project;
}

/** Such as `a0,a1,a2`. */
export function numbers(count: number, prefix = ""): string {
  return Array.from({ length: count }, (_, at) => `${prefix}${at}`).join(",");
}

/** The declaration of this shown key. */
export function declared(project: Project, key: string): Declaration {
  const found = project.declarations.find((declaration) => showKey(declaration) === key);
  if (found === undefined) throw new Error(`${key} is not among ${project.declarations.map(showKey).join(", ")}`);
  return found;
}

/** Declared values by path, without the key itself. */
export function valuesOf({ fields }: Pick<Declaration, "fields">): Record<string, Declared["value"]> {
  return Object.fromEntries(
    [...fields]
      .filter(([path]) => !["alias", "name", "domain"].includes(path))
      .map(([path, { value }]) => [path, value]),
  );
}

/** The declared values of each shown key. */
export function allValues(project: Project): Record<string, Record<string, Declared["value"]>> {
  return Object.fromEntries(project.declarations.map((declaration) => [showKey(declaration), valuesOf(declaration)]));
}

/** The place of each declared value. */
export function placesOf({ fields }: Declaration): Record<string, string> {
  return Object.fromEntries([...fields].map(([path, { place }]) => [path, showPlace(place)]));
}
