// A folder with a project, opened in an editor, for the tests of one file.

import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll } from "vitest";
import { startEditor, type Editor, type EditorOptions } from "./language-server.ts";

/** Writes the folder and starts the editor before the tests, and ends and removes both afterwards. */
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
