// A folder with a project in it, and an editor that has it open, for the tests of one file.

import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll } from "vitest";
import { startEditor, type Editor, type EditorOptions } from "./language-server.ts";

/** Lays out the folder and starts the editor before the tests; afterwards ends it and removes the folder. */
export function useEditor(
  layOut: (folder: string) => Promise<void> = copySchemas,
  schemas: NonNullable<EditorOptions["schemas"]> = {},
): () => Editor {
  let folder = "";
  let editor: Editor | undefined;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "linkform-editor-"));
    await layOut(folder);
    editor = await startEditor({ folder, schemas });
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

/** The schemas beside the project's files, as in a checkout of this repository. */
async function copySchemas(folder: string): Promise<void> {
  await mkdir(path.join(folder, "links"));
  await cp("schemas", path.join(folder, "schemas"), { recursive: true });
}

/** A resource file's text below its schema line. It stands in `links/`. */
export function resource(text: string): string {
  return `# yaml-language-server: $schema=../schemas/resource.schema.json\n${text}`;
}

/** A project file's text below its schema line. */
export function project(text: string): string {
  return `# yaml-language-server: $schema=schemas/project.schema.json\n${text}`;
}
