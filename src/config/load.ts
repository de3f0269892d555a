// Loads the files of a project and reports every mistake at once.

import { parseUrl } from "../domain/hosts.ts";
import path from "node:path";
import { append } from "../domain/collections.ts";
import { error, hasErrors, limitDiagnostics, sortDiagnostics, warning, type Diagnostic } from "../domain/diagnostic.ts";
import { didYouMean } from "../domain/nearest.ts";
import { comparePlaces, startOf, type Place } from "../domain/place.ts";
import type { Declaration, Declared, Mention, Project } from "../domain/project.ts";
import { isAboutSending, isRuleCode } from "../domain/rules.ts";
import { SOFTWARE } from "../domain/software.ts";
import { isZone, nearestZone } from "../domain/zone.ts";
import { LintContext, preferLintMessages } from "./lint/context.ts";
import { linkContext, linkDefaultsOf, readBlocks, type DocumentOutline, type LoadedBlocks } from "./blocks.ts";
import { readLabels } from "./keys.ts";
import { openFolder, type SearchContext } from "./checkout.ts";
import { DEFAULT_FILES, findFiles, type FileGlob } from "./find-files.ts";
import type { FamilyBudget } from "./families.ts";
import type { FileSource } from "./file-source.ts";
import { lint } from "./lint/lint.ts";
import { readPolicy } from "./policy.ts";
import { checkConsistency } from "./consistency.ts";
import { projectSchema, resourceSchema, SECTIONS } from "./schema.ts";
import { checkShape } from "./shape.ts";
import { readVocabulary } from "./utm.ts";
import { entriesOf, entry, mentionOf, readYaml, textsIn, type TreeNode } from "./yaml.ts";

export interface Loaded {
  /**
   * Null if there is an error: linkform never plans with a part of the files. Only errors about values that the service refuses are left to
   * the plan, which knows whether it sends them.
   */
  readonly project: Project | null;
  /** What could be read despite errors; null if that is not certain for the settings. */
  readonly readable: Project | null;
  readonly isComplete: boolean;
  readonly diagnostics: readonly Diagnostic[];
  /** Also if there are other errors. */
  readonly address: Project["baseUrl"] | null;
  readonly files: readonly string[];
  readonly texts: ReadonlyMap<string, string>;
  /** Empty if a file or key could not be read, because it may declare anything. */
  readonly declarations: readonly Declaration[];
  /** The project file first. */
  readonly documents: readonly DocumentOutline[];
  /** For links in a file without its own defaults. */
  readonly linkDefaults: ReadonlyMap<string, Declared>;
  readonly globs: readonly string[];
}

/** Resources that a program generated. `name` is the file in places. */
export interface GeneratedResources {
  readonly name: string;
  /** Without a byte order mark. */
  readonly text: string;
}

/** Resources that have been read from another kind of file: a spreadsheet. */
export interface ReadResources {
  readonly name: string;
  readonly documents: readonly TreeNode[];
}

/**
 * `projectFile` is an absolute path. `now` is the current instant in canonical form; without it no date is in the past. `generated` is read
 * after the files.
 */
export async function loadProject(
  projectFile: string,
  now: string | null = null,
  context: SearchContext | null = null,
  generated: readonly GeneratedResources[] = [],
): Promise<Loaded> {
  const source = await openFolder(path.dirname(projectFile), context);
  const read = await loadFrom(source, path.basename(projectFile), { now }, generated);
  return { ...read, diagnostics: sortDiagnostics(limitDiagnostics(read.diagnostics)) };
}

/** Without `rules`, no lint rule runs. With `isAdvisory`, errors of lint rules do not make the project invalid. */
export async function loadFrom(
  source: FileSource,
  file: string,
  rules: { readonly now: string | null; readonly isAdvisory?: boolean } | null = null,
  generated: readonly (GeneratedResources | ReadResources)[] = [],
): Promise<Loaded> {
  const diagnostics: Diagnostic[] = [];
  const texts = new Map<string, string>();
  const [document, ...more] = await readDocuments(source, file, texts, diagnostics);
  if (document === undefined && !hasErrors(diagnostics))
    diagnostics.push(
      error("empty-project", "The project file is empty.", startOf(file), "Start it with `version: 1`."),
    );
  for (const { place } of more) {
    const hint = "Move the links and pixels to resource files.";
    diagnostics.push(error("second-document", "A project file must be a single YAML document.", place, hint));
  }
  const globs = fileGlobs(document);
  const found = findFiles(source, file, globs);
  append(diagnostics, found.diagnostics);
  const resources: TreeNode[] = [];
  for (const resource of found.files) append(resources, await readDocuments(source, resource, texts, diagnostics));
  for (const one of generated) {
    if (found.files.includes(one.name)) continue;
    const read = "text" in one ? await readYaml(one.text, one.name) : { documents: one.documents, diagnostics: [] };
    append(diagnostics, read.diagnostics);
    append(resources, read.documents);
  }
  if (document !== undefined) append(diagnostics, checkShape(document, projectSchema));
  for (const resource of resources) append(diagnostics, checkShape(resource, resourceSchema));
  const files = { files: [file, ...found.files], texts, globs: globs.map(({ pattern }) => pattern) };
  // Without the project file, defaults and labels are unknown, so nothing that depends on them can be checked.
  if (document === undefined) return { ...NOTHING, ...files, diagnostics: sortDiagnostics(diagnostics) };

  const domain = readLabels(document, "domains", diagnostics);
  const labels = { domain, space: readLabels(document, "spaces", diagnostics) };
  const settings = readSettings(document, diagnostics);
  const policy = readPolicy(document, labels, diagnostics);
  const utm = await readVocabulary(document, diagnostics);
  const { problem } = source;
  if (policy.prune.mode === "scope" && problem) {
    const message = `linkform cannot check that all files are checked out: ${problem.message}`;
    diagnostics.push(warning("checkout-unknown", message, policy.prune.place, problem.hint));
  }
  const blocks: LoadedBlocks = {
    labels: domain,
    declarations: [],
    tombstones: [],
    diagnostics,
    lint: rules === null ? null : new LintContext(policy, diagnostics),
    broken: new Map(),
    lost: [],
  };
  const { declarations, tombstones } = blocks;
  const documents = [document, ...resources];
  const budget: FamilyBudget = { links: 0, work: 0 };
  const families = documents.some((node) => entry(node, "families")) ? await import("./families.ts") : null;
  const outlines = documents.map((node): DocumentOutline => {
    const context = linkContext(node, document, blocks);
    readBlocks(node, context);
    families?.readFamilies(node, context, budget);
    return { file: node.place.file, place: node.place, linkDefaults: linkDefaultsOf(context) };
  });
  append(diagnostics, checkConsistency(declarations, tombstones, domain));
  const unread = /^(yaml|json|file|outside-project|wrong-key|pixel-goes-away|family)/;
  const hasAllKeys = !diagnostics.some(({ code, severity }) => severity === "error" && unread.test(code));
  const isComplete = hasAllKeys && blocks.lost.length === 0;

  let findings: readonly Diagnostic[] = diagnostics;
  if (rules !== null) {
    const { zone = null, accountZone = null } = settings ?? {};
    const times = { now: rules.now, zone: zone ?? accountZone, accountZone };
    const read = { document, declarations, labels, utm, policy, isComplete, broken: blocks.broken };
    findings = preferLintMessages([...diagnostics, ...(await lint(read, times))]);
  }
  const linkDefaults = outlines[0]?.linkDefaults ?? NOTHING.linkDefaults;
  const readable: Project | null =
    settings === null || hasSettingErrors(document, diagnostics)
      ? null
      : {
          file,
          ...settings,
          defaulted: new Set(linkDefaults.keys()),
          domains: domain.all,
          spaces: labels.space.all,
          declarations,
          tombstones,
          policy,
          utm,
        };
  const decisive =
    rules?.isAdvisory === true
      ? diagnostics.filter(({ code }) => !isRuleCode(code))
      : findings.filter((one) => !isAboutSending(one));
  return {
    ...files,
    project: hasErrors(decisive) ? null : readable,
    readable,
    isComplete,
    // A mistake in defaults or in an anchored value is found once for each block that uses it.
    diagnostics: sortDiagnostics([...new Map(findings.map((one) => [JSON.stringify(one), one])).values()]),
    address: settings?.baseUrl ?? null,
    declarations: hasAllKeys ? declarations : [],
    documents: outlines,
    linkDefaults,
  };
}

const NOTHING = {
  project: null,
  readable: null,
  isComplete: false,
  address: null,
  declarations: [],
  documents: [],
  linkDefaults: new Map<string, Declared>(),
};

/** Outside the links and pixels. A glob that matches no file hides nothing. */
function hasSettingErrors(document: TreeNode, diagnostics: readonly Diagnostic[]): boolean {
  const keys = entriesOf(document);
  return diagnostics.some(({ code, severity, place }) => {
    if (severity !== "error" || code === "no-such-files" || place?.file !== document.place.file) return false;
    const section = keys.findLast(({ keyPlace }) => comparePlaces(keyPlace, place) <= 0)?.key;
    return /^(?:yaml|json|second-document)/.test(code) || section === undefined || !SECTIONS.includes(section);
  });
}

/** The address of the service; null if it cannot be read, undefined if the file is not a project file. */
export async function readAddress(source: FileSource, file: string): Promise<string | null | undefined> {
  const diagnostics: Diagnostic[] = [];
  const [document] = await readDocuments(source, file, new Map(), diagnostics);
  if (document === undefined || hasErrors(diagnostics)) return null;
  if (entry(document, "service") === undefined) return undefined;
  return readSettings(document, diagnostics)?.baseUrl.value ?? null;
}

async function readDocuments(
  source: FileSource,
  file: string,
  texts: Map<string, string>,
  diagnostics: Diagnostic[],
): Promise<TreeNode[]> {
  const read = await source.read(file);
  if ("problem" in read) {
    diagnostics.push(read.problem);
    return [];
  }
  texts.set(file, read.text);
  const parsed = await readYaml(read.text, file, source.ref);
  append(diagnostics, parsed.diagnostics);
  return parsed.documents;
}

export async function globsIn(source: FileSource, file: string): Promise<FileGlob[]> {
  const [document] = await readDocuments(source, file, new Map(), []);
  return fileGlobs(document);
}

function fileGlobs(document: TreeNode | undefined): FileGlob[] {
  const files = entry(document, "files")?.value;
  // The schema has reported other values.
  if (files?.type === "list") return textsIn(files).map(({ text, place }) => ({ pattern: text, place }));
  return DEFAULT_FILES.map((pattern) => ({ pattern, place: null }));
}

type Settings = Pick<Project, "baseUrl" | "software" | "accountZone" | "zone">;

function readSettings(document: TreeNode, diagnostics: Diagnostic[]): Settings | null {
  const service = entry(document, "service")?.value;
  const accountZone = zoneIn(entry(service, "account_timezone")?.value, diagnostics);
  const zone = zoneIn(entry(document, "timezone")?.value, diagnostics);
  const { text, place } = stringIn(entry(service, "base_url")?.value) ?? {};
  if (text === undefined || place === undefined) return null;
  const { baseUrl: value, diagnostics: found } = checkBaseUrl(text, place);
  append(diagnostics, found);
  return value === null ? null : { baseUrl: { value, place }, software: softwareOf(service), accountZone, zone };
}

function zoneIn(node: TreeNode | undefined, diagnostics: Diagnostic[]): string | null {
  const { text: name, place } = stringIn(node) ?? {};
  if (name === undefined || isZone(name)) return name ?? null;
  const example = "Write a time zone such as Europe/Berlin, America/New_York or UTC.";
  const hint = didYouMean(nearestZone(name), example);
  diagnostics.push(error("unknown-zone", `\`${name}\` is not a known time zone.`, place ?? null, hint));
  return null;
}

/** Null for an empty string, too. */
function stringIn(node: TreeNode | undefined): Mention | null {
  return node?.type === "scalar" && typeof node.value === "string" ? mentionOf(node) : null;
}

/** A version without quotes is a number. */
function softwareOf(service: TreeNode | undefined): Project["software"] {
  const node = entry(service, "software")?.value;
  if (node?.type !== "scalar") return null;
  const value = SOFTWARE.find((version) => version === node.text.trim() || Number(version) === node.value);
  return value === undefined ? null : { value, place: node.place };
}

interface CheckedUrl {
  readonly baseUrl: string | null;
  readonly diagnostics: Diagnostic[];
}

/** Checks an address of the service, and removes slashes from its end. */
export function checkBaseUrl(text: string, place: Place | null): CheckedUrl {
  const wrong = (message: string, hint = "Write it in the form https://short.example.com."): CheckedUrl => ({
    baseUrl: null,
    diagnostics: [error("wrong-base-url", message, place, hint)],
  });
  // Do not print a text that is not a URL: it may be a key.
  const url = parseUrl(text);
  if (url === null || !/^[a-z][a-z0-9+.-]*:\/\//i.test(text))
    return wrong("The service address must be a URL with a scheme and a host.");
  if (url.protocol !== "https:" && url.protocol !== "http:")
    return wrong(`The service address must use https://, not ${url.protocol}//.`);
  if (url.username !== "" || url.password !== "")
    return wrong(
      "The service address must not contain a user name or password.",
      "Put the API key into the environment variable LINKFORM_API_KEY.",
    );
  if (url.search !== "" || url.hash !== "") return wrong("The service address must not contain a query or a fragment.");
  const pathname = url.pathname.replace(/\/+$/, "");
  // linkform appends the paths of the API.
  const [, before, api] = /^(.*?)(\/index\.php|\/api(?:\/v\d+)?)(?:\/.*)?$/.exec(pathname) ?? [];
  if (before !== undefined)
    return wrong(
      `The service address must not contain ${api}. linkform adds it.`,
      `Write it as ${url.origin}${before}.`,
    );
  const isReadable = url.protocol === "http:" && !["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
  const risk = "The service address uses http, so others on the network can read the API key.";
  const diagnostics = isReadable ? [warning("plain-http-service", risk, place, "Use https.")] : [];
  return { baseUrl: `${url.origin}${pathname}`, diagnostics };
}
