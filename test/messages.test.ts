// Every message about the broken files and in the printed plans, as users see it. Fails if one shows internals of the program, or says
// neither where the problem is nor what to do. The last tests plant such messages.

import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { faultsOf, messagesIn } from "./support/leaks.ts";

const FIXTURES = path.join(import.meta.dirname, "fixtures");

async function expectedIn(folder: string): Promise<[name: string, text: string][]> {
  const names = (await readdir(path.join(FIXTURES, folder))).toSorted();
  return Promise.all(
    names.map(async (name): Promise<[string, string]> => {
      return [name, await readFile(path.join(FIXTURES, folder, name, "expected.txt"), "utf8")];
    }),
  );
}

describe("no message shows internals, and each says where the problem is or what to do", () => {
  // invalid.test.ts and plans.test.ts check that these texts are printed.
  it.each([
    ["config/invalid", 250],
    ["plans", 30],
  ])("in %s", async (folder, least) => {
    const texts = await expectedIn(folder);
    expect(texts.flatMap(([name, text]) => faultsOf(text).map((fault) => `${name}: ${fault}`))).toEqual([]);
    expect(texts.flatMap(([, text]) => messagesIn(text)).length).toBeGreaterThan(least);
  });
});

// Fails if the tests above could not fail.
describe("a planted message is found", () => {
  const place = "  --> linkform.yaml:1:1\n";
  it.each([
    ["a trace", `error[a] It failed.\n${place}    at load (file:///a/b.js:3:5)\n`],
    ["a trace of node", `error[a] It failed: node:internal/fs\n${place}`],
    ["a hole", `error[a] \`undefined\` is not a key.\n${place}`],
    ["no number", `error[a] At most NaN fit.\n${place}`],
    ["an object", `error[a] This is [object Object].\n${place}`],
    ["zod's sentence", `error[a] Invalid input: expected string, received number\n${place}`],
    ["another of zod's", `error[a] Unrecognized key: "ulr"\n${place}`],
    ["a placeholder", `error[a] There is no domain \${domain}.\n${place}`],
    ["an empty name", `error[a] There is no domain \`\`.\n${place}`],
    ["no words", `error[a]\n${place}`],
    ["a code of another kind", `error[Wrong_Key] It is wrong.\n${place}`],
    ["neither place nor hint", "error[a] It is wrong.\n"],
    [
      "neither place nor hint before one that has both",
      `error[a] It is wrong.\n\nerror[b] This, too.\n${place}   = Correct it.\n`,
    ],
  ])("%s", (_, planted) => {
    expect(faultsOf(planted)).not.toEqual([]);
  });

  it("and a correct message is not", () => {
    expect(
      faultsOf(`error[a-b] It is wrong.\n${place}   |\n 1 | url: undefined\n   |      ^^^^^^^^^\n   = Correct it.\n`),
    ).toEqual([]);
  });
});
