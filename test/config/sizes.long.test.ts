// Large files. Fails if the number of messages is not limited, if a long list is put on the call stack, or if each mistake is
// searched in the complete file: these tests would time out.

import { expect, it } from "vitest";
import { groupIdentical } from "../../src/domain/diagnostic.ts";
import { load } from "./loading.ts";

const LINES = 20_000;
const lines = (line: (at: number) => string): string => Array.from({ length: LINES }, (_, at) => line(at)).join("");

it("20,000 lines with the same syntax error are one error", async () => {
  const { diagnostics } = await load(`links:\n${lines(() => "  b: { url: ]\n")}`);
  expect(diagnostics.map(({ code }) => code)).toEqual(["yaml-syntax"]);
}, 60_000);

it("20,000 documents with the same syntax error have it at each place", async () => {
  const { diagnostics } = await load(`links: {}\n${lines(() => "---\nlinks: { a: ] }\n")}`);
  expect(diagnostics.map(({ code }) => code)).toEqual(Array.from({ length: LINES }, () => "yaml-syntax"));
}, 60_000);

it("20,000 different errors: the first 100 are shown, and the others counted", async () => {
  const { diagnostics } = await load(`links:\n${lines((at) => `  go.example.com/l${at}: {}\n`)}`);
  expect(diagnostics).toHaveLength(101);
  expect(diagnostics.at(-1)).toMatchObject({
    code: "more-findings",
    severity: "error",
    message: "There are 19,900 more errors. The first is here.",
  });
}, 60_000);

it("warnings never displace errors", async () => {
  const links = lines((at) => `  go.example.com/l${at}: { url: http://example.com/${at} }\n`);
  const { diagnostics, project } = await load(`links:\n${links}  go.example.com/last: {}\n`);
  expect(project).toBeNull();
  expect(diagnostics.filter(({ severity }) => severity === "error")).toHaveLength(1);
  expect(diagnostics.at(-1)).toMatchObject({ code: expect.any(String) });
  expect(groupIdentical(diagnostics).length).toBeLessThanOrEqual(102);
}, 60_000);

it("a list can be longer than the call stack", async () => {
  const keys = Array.from({ length: 130_000 }, (_, at) => `    - go.example.com/${at}\n`).join("");
  const { diagnostics, project } = await load(`absent:\n  links:\n${keys}`);
  expect(diagnostics).toEqual([]);
  expect(project?.tombstones).toHaveLength(130_000);
}, 120_000);
