// The yaml-language-server of the npm registry, used over stdio like an editor, with a project in a folder.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll } from "vitest";
import lsp, {
  type CompletionItem,
  type Diagnostic,
  type Position,
  type Range,
} from "vscode-languageserver-protocol/node.js";

const SERVER = fileURLToPath(import.meta.resolve("yaml-language-server/bin/yaml-language-server"));

/** The editor's setting `yaml.schemas`: which files have which schema. */
type SchemaSetting = Readonly<Record<string, string>>;

/**
 * Starts the server with one folder open, without downloads of schemas. Files are named relative to the folder, and written. Every text is a
 * new document, so that published results are about that text.
 */
async function startEditor(folder: string, schemas: SchemaSetting) {
  const settings: Readonly<Record<string, unknown>> = {
    yaml: { schemas, validate: true, hover: true, completion: true, schemaStore: { enable: false } },
  };
  const child = spawn(process.execPath, [SERVER, "--stdio"], { stdio: ["pipe", "pipe", "inherit"] });
  const connection = lsp.createProtocolConnection(child.stdout, child.stdin);
  // The server requests its settings after the start. Before that, it knows no schemas.
  let tellAsked = (): void => undefined;
  const asked = new Promise<void>((resolve) => {
    tellAsked = resolve;
  });
  connection.onRequest(lsp.ConfigurationRequest.type, ({ items }) => {
    if (items.some(({ section }) => section === "yaml")) tellAsked();
    return items.map(({ section }) => settings[section ?? ""] ?? null);
  });
  const waiting = new Map<string, (diagnostics: readonly Diagnostic[]) => void>();
  connection.onNotification(lsp.PublishDiagnosticsNotification.type, ({ uri, diagnostics }) => {
    waiting.get(uri)?.(diagnostics);
    waiting.delete(uri);
  });
  connection.listen();
  const root = pathToFileURL(folder).href;
  await connection.sendRequest(lsp.InitializeRequest.type, {
    processId: process.pid,
    rootUri: root,
    workspaceFolders: [{ uri: root, name: "project" }],
    capabilities: {
      textDocument: {
        completion: { completionItem: { snippetSupport: true, documentationFormat: ["markdown"] } },
        hover: { contentFormat: ["markdown"] },
      },
      workspace: { configuration: true, workspaceFolders: true },
    },
  });
  await connection.sendNotification(lsp.InitializedNotification.type, {});

  let opened = 0;
  async function open(file: string, text: string): Promise<{ uri: string; published: Promise<readonly Diagnostic[]> }> {
    opened += 1;
    // The same folder and type of name, so that globs match, but another name, so that it is another document.
    const { dir, name, ext } = path.parse(path.join(folder, file));
    const real = path.join(dir, `${name}.${opened}${ext}`);
    await writeFile(real, text);
    const uri = pathToFileURL(real).href;
    const published = new Promise<readonly Diagnostic[]>((resolve) => waiting.set(uri, resolve));
    const textDocument = { uri, languageId: "yaml", version: 1, text };
    await connection.sendNotification(lsp.DidOpenTextDocumentNotification.type, { textDocument });
    return { uri, published };
  }
  // Results for a document that is opened after the settings use them.
  await asked;
  await (
    await open("begun.yaml", "a: 1\n")
  ).published;
  return {
    /** The underlined ranges, in the order of the file. */
    async marks(file: string, text: string): Promise<Marked[]> {
      const { published } = await open(file, text);
      const found = (await published).map(({ message, range }) => ({ message, ...rangeOf(text, range) }));
      return found.toSorted((a, b) => a.from - b.from);
    },
    /** The completions at the cursor, `▮`. */
    async complete(file: string, marked: string): Promise<CompletionItem[]> {
      const { text, position } = cursorIn(marked);
      const { uri } = await open(file, text);
      const found = await connection.sendRequest(lsp.CompletionRequest.type, { textDocument: { uri }, position });
      return Array.isArray(found) ? found : (found?.items ?? []);
    },
    /** The Markdown of a hover at the cursor; null for none. */
    async hover(file: string, marked: string): Promise<string | null> {
      const { text, position } = cursorIn(marked);
      const { uri } = await open(file, text);
      const shown = await connection.sendRequest(lsp.HoverRequest.type, { textDocument: { uri }, position });
      return shown !== null && lsp.MarkupContent.is(shown.contents) ? shown.contents.value : null;
    },
    async close(): Promise<void> {
      await connection.sendRequest(lsp.ShutdownRequest.type);
      const ended = once(child, "exit");
      await connection.sendNotification(lsp.ExitNotification.type);
      await ended;
      connection.dispose();
    },
  };
}

type Editor = Awaited<ReturnType<typeof startEditor>>;

/** Writes the folder and starts the editor before the tests, and ends and removes both afterwards. */
export function useEditor(
  layOut: (folder: string) => Promise<void> = copySchemas,
  schemas: SchemaSetting = {},
): () => Editor {
  let folder = "";
  let editor: Editor | undefined;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "linkform-editor-"));
    await layOut(folder);
    editor = await startEditor(folder, schemas);
  });
  afterAll(async () => {
    await editor?.close();
    await rm(folder, { recursive: true, force: true });
  });
  return () => {
    if (editor === undefined) throw new Error("the editor has not been started");
    return editor;
  };
}

/** The schemas next to the project's files, as in a checkout of this repository. */
export async function copySchemas(folder: string): Promise<void> {
  await mkdir(path.join(folder, "links"));
  await cp("schemas", path.join(folder, "schemas"), { recursive: true });
}

/** The text of a file in `links/` after its schema line. */
export function resource(text: string): string {
  return `# yaml-language-server: $schema=../schemas/resource.schema.json\n${text}`;
}

/** The text of a project file after its schema line. */
export function project(text: string): string {
  return `# yaml-language-server: $schema=schemas/project.schema.json\n${text}`;
}

// Marked places in the text of a test: `▮` is a cursor, `«…»` is an underlined range.

/** An underlined range: the text, and its start and end. */
interface Underlined {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

interface Marked extends Underlined {
  readonly message: string;
}

/** The text without its cursor, and the position of the cursor. Throws if there is none. */
function cursorIn(marked: string): { text: string; position: Position } {
  const [before, after] = marked.split("▮");
  if (before === undefined || after === undefined) throw new Error("no cursor in this text");
  const lines = before.split("\n");
  return { text: before + after, position: { line: lines.length - 1, character: (lines.at(-1) ?? "").length } };
}

/** The text without its marks, and the marked ranges. */
export function underlinedIn(marked: string): { text: string; underlined: Underlined[] } {
  const underlined: Underlined[] = [];
  let text = "";
  for (const [index, piece] of marked.split(/[«»]/).entries()) {
    if (index % 2 === 1) underlined.push({ text: piece, from: text.length, to: text.length + piece.length });
    text += piece;
  }
  return { text, underlined };
}

/** The text in a range of the protocol. */
function rangeOf(text: string, { start, end }: Range): Underlined {
  const lines = text.split("\n");
  const offset = ({ line, character }: Position): number =>
    lines.slice(0, line).reduce((sum, { length }) => sum + length + 1, character);
  const [from, to] = [offset(start), offset(end)];
  return { text: text.slice(from, to), from, to };
}
