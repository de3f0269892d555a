// The files of a project -> what they say, with every mistake at once.

import path from "node:path";
import { append } from "../domain/collections.ts";
import { error, hasErrors, limitDiagnostics, sortDiagnostics, warning, type Diagnostic } from "../domain/diagnostic.ts";
import type { Place } from "../domain/place.ts";
import type { Declaration, Declared, Project, Tombstone } from "../domain/project.ts";
import { SOFTWARE } from "../domain/software.ts";
import { isZone, nearestZone } from "../domain/zone.ts";
import { ProjectFolder } from "../files/folder.ts";
import { hasUnfinishedWrites, WRITE_LOG } from "../files/write-files.ts";
import { inBetterWords } from "./lint/advice.ts";
import { givenIn, readBlocks, readUnspecified, type Inherited } from "./blocks.ts";
import { readFields, type PlacedRemark } from "./fields.ts";
import { readLabels } from "./labels.ts";
import { NO_CLOCK, type SearchClock } from "./find-files.ts";
import { folderSource } from "./folder.ts";
import { lint } from "./lint/lint.ts";
import { outlineOf, type DocumentOutline } from "./outline.ts";
import { readPolicy } from "./policy.ts";
import { checkTogether } from "./rules.ts";
import { DEFAULT_FILES, projectSchema, resourceSchema } from "./schema.ts";
import { checkShape } from "./shape.ts";
import type { FileGlob, FileSource } from "./source.ts";
import { entry, type TreeNode } from "./tree.ts";
import { parseYaml, type ParsedYaml } from "./yaml.ts";

/** `project` is null if anything is wrong: what is half understood is never planned. */
export interface Loaded {
  readonly project: Project | null;
  readonly diagnostics: readonly Diagnostic[];
  /** Where the service is, whatever else is wrong; null where that is not known. */
  readonly address: Project["baseUrl"] | null;
  /** The files that were read. */
  readonly files: readonly string[];
  /** The text of each file that could be read. */
  readonly texts: ReadonlyMap<string, string>;
  /** The declarations as far as they were understood; none where a file or key could not be read, for what it declares is not known. */
  readonly declarations: readonly Declaration[];
  /** The documents that were read, file by file: the project file first, the others by name. */
  readonly documents: readonly DocumentOutline[];
  /** What the project's defaults give to the links of a file without defaults of its own, as in `DocumentOutline`. */
  readonly given: ReadonlyMap<string, Declared>;
  /** The globs of its resource files. */
  readonly globs: readonly string[];
}

/**
 * Reads the project whose project file has this absolute path. Returns the mistakes and the findings of the rules for every file, up to
 * the limit of `limitDiagnostics`. `now`, an instant in canonical form, is the present; without it no date counts as past. `clock`, in
 * ms, limits the time of the search for files.
 */
export async function loadProject(
  projectFile: string,
  now: string | null = null,
  clock: SearchClock = NO_CLOCK,
): Promise<Loaded> {
  const folder = path.dirname(projectFile);
  const read = await loadFrom(folderSource(folder, clock), path.basename(projectFile), { now });
  const loaded = { ...read, diagnostics: sortDiagnostics(limitDiagnostics(read.diagnostics)) };
  if (!hasUnfinishedWrites(new ProjectFolder(folder))) return loaded;
  const message = "A command was interrupted while it wrote the files of this project: some may be old and some new.";
  const hint = "Run the command again (`pull`, `rm`, `import` or `init`): it finishes first what it began.";
  const place = { file: WRITE_LOG, line: 1, column: 1 };
  const diagnostics = [error("files-unfinished", message, place, hint), ...loaded.diagnostics];
  return { ...loaded, project: null, declarations: [], diagnostics };
}

/** Reads the project whose project file has this name in its folder; null for `rules`: what they would say does not matter. */
export async function loadFrom(
  source: FileSource,
  file: string,
  rules: { readonly now: string | null } | null = null,
): Promise<Loaded> {
  const diagnostics: Diagnostic[] = [];
  const texts = new Map<string, string>();
  const first = await readDocuments(source, file, texts, diagnostics);
  const [document, ...more] = first.documents;
  if (document === undefined && !hasErrors(diagnostics)) {
    diagnostics.push(
      error("empty-project", "The project file is empty.", { file, line: 1, column: 1 }, "Begin it with `version: 1`."),
    );
  }
  for (const extra of more) {
    diagnostics.push(
      error(
        "second-document",
        "A project file holds one YAML document.",
        extra.place,
        "Move links and pixels to resource files.",
      ),
    );
  }
  if (document !== undefined) append(diagnostics, checkShape(document, projectSchema));

  const domains = readLabels(document, "domains");
  const spaces = readLabels(document, "spaces");
  append(diagnostics, domains.diagnostics);
  append(diagnostics, spaces.diagnostics);
  const inherited: Inherited = {
    defaults: entry(document, "defaults") ?? null,
    unspecified: (document && readUnspecified(document)) ?? "reset",
    labels: domains.labels,
  };

  const globs = fileGlobs(document);
  const found = await source.find(file, globs);
  append(diagnostics, found.diagnostics);
  const declarations: Declaration[] = [];
  const tombstones: Tombstone[] = [];
  const documents: TreeNode[] = [];
  const outlines: DocumentOutline[] = [];
  const remarks: PlacedRemark[] = [];
  const read = (node: TreeNode, index: number | undefined, from: Inherited): void => {
    // Without its project file, defaults and labels are not known: what follows from them can't be judged.
    if (document === undefined) return;
    documents.push(node);
    outlines.push(outlineOf(node, index ?? 0, from));
    const blocks = readBlocks(node, from);
    append(remarks, blocks.remarks);
    append(declarations, blocks.declarations);
    append(tombstones, blocks.tombstones);
    append(diagnostics, blocks.diagnostics);
  };
  if (document !== undefined) read(document, first.indexes[0], { ...inherited, defaults: null });
  for (const resource of found.files) {
    const parsed = await readDocuments(source, resource, texts, diagnostics);
    for (const [at, node] of parsed.documents.entries()) {
      append(diagnostics, checkShape(node, resourceSchema));
      read(node, parsed.indexes[at], inherited);
    }
  }
  append(diagnostics, checkTogether(declarations, tombstones, domains.labels));

  const settings = document === undefined ? null : readSettings(document, diagnostics);
  const said = document && readPolicy(document, { domains: domains.labels, spaces: spaces.labels });
  append(diagnostics, said?.diagnostics ?? []);
  const times = rules && { now: rules.now, zone: settings?.zone ?? null, accountZone: settings?.accountZone ?? null };
  const advice = times === null ? [] : lint({ documents, declarations, domains: domains.labels, remarks }, times);
  const findings = inBetterWords(diagnostics, advice);
  const told = {
    diagnostics: sortDiagnostics(eachOnce(findings)),
    address: settings?.baseUrl ?? null,
    files: [file, ...found.files],
    texts,
    documents: outlines,
    given: givenIn(undefined, inherited),
    globs: globs.map(({ pattern }) => pattern),
  };
  if (settings === null || said === undefined || hasErrors(findings))
    return { project: null, ...told, declarations: isWhole(diagnostics) ? declarations : [] };
  const labels = { domains: domains.labels.all, spaces: spaces.labels.all };
  return {
    project: { file, ...settings, ...labels, declarations, tombstones, policy: said.policy },
    ...told,
    declarations,
  };
}

/**
 * Whether a file is a project file, and its service's address: null if that can't be read. `undefined`: it is YAML, and no project
 * file.
 */
export async function readAddress(source: FileSource, file: string): Promise<string | null | undefined> {
  const diagnostics: Diagnostic[] = [];
  const [document] = (await readDocuments(source, file, new Map(), diagnostics)).documents;
  if (document === undefined || hasErrors(diagnostics)) return null;
  if (entry(document, "service") === undefined) return undefined;
  return readSettings(document, diagnostics)?.baseUrl.value ?? null;
}

/** A mistake in defaults, or behind an anchor, is met once for each block that uses it. */
function eachOnce(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const byText = new Map(diagnostics.map((diagnostic) => [JSON.stringify(diagnostic), diagnostic]));
  return [...byText.values()];
}

/** Whether every key of every file was read, and every pixel that links name may be asked about. */
function isWhole(diagnostics: readonly Diagnostic[]): boolean {
  return !diagnostics.some(({ code }) => /^(yaml|file|outside-project|wrong-key|pixel-goes-away)/.test(code));
}

async function readDocuments(
  source: FileSource,
  file: string,
  texts: Map<string, string>,
  diagnostics: Diagnostic[],
): Promise<Pick<ParsedYaml, "documents" | "indexes">> {
  const read = await source.read(file);
  if ("problem" in read) {
    diagnostics.push(read.problem);
    return { documents: [], indexes: [] };
  }
  texts.set(file, read.text);
  const parsed = parseYaml(read.text, file, source.ref);
  append(diagnostics, parsed.diagnostics);
  return parsed;
}

function fileGlobs(document: TreeNode | undefined): FileGlob[] {
  const files = entry(document, "files")?.value;
  if (files?.type !== "list") return DEFAULT_FILES.map((pattern) => ({ pattern, place: null }));
  // Items that are no text, or blank, have been reported.
  return files.items.flatMap((item) =>
    item.type === "scalar" && !item.broken && item.value !== null && item.text.trim() !== ""
      ? [{ pattern: item.text, place: item.place }]
      : [],
  );
}

type Settings = Pick<Project, "baseUrl" | "software" | "accountZone" | "zone" | "defaulted">;

function readSettings(document: TreeNode, diagnostics: Diagnostic[]): Settings | null {
  const service = entry(document, "service")?.value;
  const zoneOf = (node: TreeNode | undefined): string | null => {
    if (node?.type !== "scalar" || typeof node.value !== "string" || node.text.trim() === "") return null;
    const name = node.text.trim();
    if (isZone(name)) return name;
    const meant = nearestZone(name);
    const hint =
      meant === null ? "Write it as in Europe/Berlin, America/New_York or UTC." : `Did you mean \`${meant}\`?`;
    diagnostics.push(error("unknown-zone", `\`${name}\` is no time zone.`, node.place, hint));
    return null;
  };
  const accountZone = zoneOf(entry(service, "account_timezone")?.value);
  const zone = zoneOf(entry(document, "timezone")?.value);
  const address = entry(service, "base_url")?.value;
  if (address?.type !== "scalar" || typeof address.value !== "string" || address.text.trim() === "") return null;
  const checked = checkBaseUrl(address.text.trim(), address.place);
  append(diagnostics, checked.diagnostics);
  if (checked.baseUrl === null) return null;
  const baseUrl = { value: checked.baseUrl, place: address.place };
  return { baseUrl, software: softwareOf(service), accountZone, zone, defaulted: defaultedFields(document) };
}

/** The version that the files declare. Without quotes it is a number. */
function softwareOf(service: TreeNode | undefined): Project["software"] {
  const node = entry(service, "software")?.value;
  if (node?.type !== "scalar") return null;
  const value = SOFTWARE.find((version) => version === node.text.trim() || Number(version) === node.value);
  return value === undefined ? null : { value, place: node.place };
}

/** The fields of links that the project's defaults speak of; mistakes in them are met where they are used. */
function defaultedFields(document: TreeNode): ReadonlySet<string> {
  const defaults = entry(entry(document, "defaults")?.value, "link")?.value;
  return new Set(defaults === undefined ? [] : readFields("link", [defaults]).fields.keys());
}

/**
 * Checks a service address and takes the slash off its end. Only http and https have a meaning, and a name, password,
 * query or fragment in it has none.
 */
export function checkBaseUrl(text: string, place: Place | null): { baseUrl: string | null; diagnostics: Diagnostic[] } {
  const wrong = (message: string, hint: string): { baseUrl: null; diagnostics: Diagnostic[] } => ({
    baseUrl: null,
    diagnostics: [error("wrong-base-url", message, place, hint)],
  });
  const example = "Write it as https://short.example.com.";
  // A text that is no address is not repeated: it may hold a key.
  if (!URL.canParse(text) || !/^[a-z][a-z0-9+.-]*:\/\//i.test(text))
    return wrong("The service's address is no address with a scheme and a host.", example);
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    return wrong(`The service is reached over https, not ${url.protocol}//.`, example);
  if (url.username !== "" || url.password !== "")
    return wrong("The address holds a user name or password.", "Put the key into LINKFORM_API_KEY.");
  if (url.search !== "" || url.hash !== "") return wrong("The address holds a query or a fragment.", example);
  const baseUrl = `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
  if (url.protocol === "http:" && !["localhost", "127.0.0.1", "[::1]"].includes(url.hostname)) {
    return {
      baseUrl,
      diagnostics: [
        warning("plain-http-service", "Over http the API key can be read on its way.", place, "Use https."),
      ],
    };
  }
  return { baseUrl, diagnostics: [] };
}
