// Large files. Fails if the number of messages is not limited, if a long list is put on the call stack, or if each mistake is
// searched in the complete file: these tests would time out.

import { expect, it } from "vitest";
import { groupIdentical } from "../../src/domain/diagnostic.ts";
import { load, numbers } from "./loading.ts";

const LINES = 20_000;
const lines = (line: (at: number) => string): string => Array.from({ length: LINES }, (_, at) => line(at)).join("");

it("20,000 lines with the same syntax error are one error", async () => {
  const { diagnostics } = await load(`links:\n${lines(() => "  b: { url: ]\n")}`);
  expect(diagnostics.map(({ code }) => code)).toEqual(["yaml-syntax"]);
});

it("20,000 documents with the same syntax error have it at each place", async () => {
  const { diagnostics } = await load(`links: {}\n${lines(() => "---\nlinks: { a: ] }\n")}`);
  expect(diagnostics.map(({ code }) => code)).toEqual(Array.from({ length: LINES }, () => "yaml-syntax"));
});

it("20,000 different errors: the first 100 are shown, and the others counted", async () => {
  const { diagnostics } = await load(`links:\n${lines((at) => `  go.example.com/l${at}: {}\n`)}`);
  expect(diagnostics).toHaveLength(101);
  expect(diagnostics.at(-1)).toMatchObject({
    code: "more-findings",
    severity: "error",
    message: "There are 19,900 more errors. The first is here.",
  });
});

it("warnings never displace errors", async () => {
  const links = lines((at) => `  go.example.com/l${at}: { url: http://example.com/${at} }\n`);
  const { diagnostics, project } = await load(`links:\n${links}  go.example.com/last: {}\n`);
  expect(project).toBeNull();
  expect(diagnostics.filter(({ severity }) => severity === "error")).toHaveLength(1);
  expect(diagnostics.at(-1)).toMatchObject({ code: expect.any(String) });
  expect(groupIdentical(diagnostics).length).toBeLessThanOrEqual(102);
});

it("a list can be longer than the call stack", async () => {
  const keys = Array.from({ length: 130_000 }, (_, at) => `    - go.example.com/${at}\n`).join("");
  const { diagnostics, project } = await load(`absent:\n  links:\n${keys}`);
  expect(diagnostics).toEqual([]);
  expect(project?.tombstones).toHaveLength(130_000);
});

// Fails if the layers of a link are merged one by one, each time with all keys: that takes 40 seconds.
it("many unknown keys and many conditions are an error", async () => {
  const utm = `{ ${numbers(10_000, "k").replaceAll(",", ": a,")}: a }`;
  const each = Array.from({ length: 1000 }, () => "{ when: { x: a }, utm: { source: s } }").join();
  const { diagnostics } = await load(
    `families:\n  a-{x}: { for: { x: [a, b] }, url: "https://example.com/", utm: ${utm}, each: [${each}] }\n`,
  );
  expect(diagnostics.filter(({ code }) => code === "unknown-key")).not.toEqual([]);
});

// Fails if each of many wrong placeholders is compared with all values: that takes minutes.
it("many wrong placeholders are an error", async () => {
  const values = numbers(10_000, "v").replaceAll(",", ": { a: 1 },");
  const note = numbers(100_000, "{x.t").replaceAll(",", "}");
  const { diagnostics } = await load(
    `families:\n  a-{x}: { for: { x: { ${values}: { a: 1 } } }, url: "https://example.com/", note: "${note}}" }\n`,
  );
  expect(new Set(diagnostics.map(({ code }) => code))).toEqual(new Set(["family-placeholder", "more-findings"]));
});

it("many conditions are matched without comparing each with each", async () => {
  const values = numbers(90, "v").split(",");
  const pairs = values.flatMap((x) => values.map((y) => `{ x: ${x}, y: ${y} }`));
  const { project } = await load(
    `families:\n  go.example.com/a-{x}-{y}: { for: { x: [${values.join()}], y: [${values.join()}] }, url: "https://example.com/", exclude: [${pairs.slice(1).join()}] }\n`,
  );
  expect(project?.declarations.map(({ name }) => name)).toEqual(["a-v0-v0"]);
});
