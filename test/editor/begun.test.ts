// The files of `linkform init` in an editor: it finds their schemas, has nothing to say of them, and marks what is wrong. Fails when the
// schema line leads nowhere from where the file stands, or a file has a value that the schema does not know.

import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { init } from "../../src/init/command.ts";
import { useEditor } from "../support/editor-project.ts";
import { runIn } from "../support/scenario.ts";

let folder = "";
const editor = useEditor(async (made) => {
  folder = made;
  const { exit } = await runIn(made, {}, (world) =>
    init(world, {
      baseUrl: "https://short.example.com",
      offline: true,
      domain: ["go.example.com=2", "promo.example.com"],
      space: ["Marketing=1", "Sales"],
    }),
  );
  expect(exit).toBe(0);
});

it.each(["linkform.yaml", "links/example.yaml"])("%s has no marks, and what is wrong in it gets one", async (file) => {
  const text = await readFile(path.join(folder, file), "utf8");
  expect(await editor().marks(file, text)).toEqual([]);
  expect(await editor().marks(file, `${text}nonsense: 1\n`)).toHaveLength(1);
});
