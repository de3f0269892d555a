// Random names of domains and spaces. Fails if a new project is invalid, if a label means another record or is used twice, or
// if a name breaks out of its line in a file or on the terminal.

import { readFile } from "node:fs/promises";
import path from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { begin } from "../support/init-project.ts";
import { character, runs } from "../support/states.ts";

const ODD = [
  ..."2¦007¦domain-2¦space-1¦null¦~¦<<¦on¦a: b¦# no¦*¦a/b¦ x ¦Team¦team¦Team #2¦{ id: 1 }¦\u001b[2J\u001b[31mred".split(
    "¦",
  ),
  ..."right\u202eto left¦::error::x¦a\nprune: scope¦NAME=3¦__proto__¦constructor".split("¦"),
];
const name = fc.oneof(fc.string({ unit: character, minLength: 1, maxLength: 12 }), fc.constantFrom(...ODD));

const names = fc.uniqueArray(
  name.filter((text) => text.trim() !== ""),
  { maxLength: 6 },
);

// oxlint-disable-next-line no-control-regex -- they are what must not be there
const OBEYED = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

test("labels are unique and refer to their domain or space", async () => {
  await fc.assert(
    fc.asyncProperty(names, names, async (domains, spaces) => {
      const seed = { domains: domains.map((text) => ({ name: text })), spaces: spaces.map((text) => ({ name: text })) };
      const start = await begin({ seed });
      try {
        const { exit, out, err } = await start.init();
        expect({ exit, err }).toEqual({ exit: 0, err: "" });
        expect(out).not.toMatch(OBEYED);
        const text = await readFile(path.join(start.folder, "linkform.yaml"), "utf8");
        expect(text).not.toMatch(OBEYED);
        expect(parse(text).prune ?? "none").toBe("none");
        await start.holds();
      } finally {
        await start.sandbox.close();
      }
    }),
    { numRuns: runs(40) },
  );
}, 120_000);
