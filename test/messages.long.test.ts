// Every message of a wrong command line, as the built program prints it: messages.test.ts has those of files and plans.

import { expect, it } from "vitest";
import { faultsOf, messagesIn } from "./support/leaks.ts";
import { key, linkform, projectFor } from "./support/program.ts";

it.each([
  [["plann"]],
  [["--versoin"]],
  [["plan", "--fromat", "json"]],
  [["plan", "--detailed-exit"]],
  [["plan", "--out"]],
  [["plan", "--allow-deletes", "some"]],
  [["plan", "--max-wait", "-1"]],
  [["plan", "surplus"]],
  [["plan", "--format", "xml"]],
  [["plan", "--format", "json", "--format", "text"]],
  [["apply", "a", "b"]],
  [["apply", "nowhere.json"]],
  [["apply", "linkform.yaml", "--yes"]],
  [["apply", "plan.json", "--target", "*"]],
  [["apply"]],
  [["validate", "--base", "--help"]],
  [["validate", "--base", "HEAD"]],
  [["validate", "--config", "nowhere.yaml"]],
  [["validate", "--config", "."]],
  [["validate", "--format", "json=no/such/folder.json"]],
  [["plan", "--api-key-file", "nowhere"]],
  [["plan", "--base-url", "nonsense"]],
  [["plan", "--base-url", "https://me:hunter2@short.example.com"]],
  [["plan", "--base-url", "http://127.0.0.1:9"]],
  [["import", "csv", "nowhere.csv"]],
  [["import", "csv", "linkform.yaml"]],
  [["import", "csv", "linkform.yaml", "--map", "x=y"]],
  [["import", "csv", "linkform.yaml", "--into", "../x.yaml"]],
  [["comment"]],
  [["comment", "nowhere.md", "--github"]],
  [["comment", "linkform.yaml", "--github"]],
  [["comment", "linkform.yaml", "--gitlab", "--close"]],
  [["comment", "linkform.yaml", "--pull-request", "one"]],
  [["sandbox", "--software", "5"]],
  [["sandbox", "--port", "70000"]],
  [["sandbox", "--seed", "nowhere.json"]],
  [["sandbox", "--timezone", "Mars/Olympus"]],
])("of linkform %j", async (args) => {
  const { exit, out, err } = await linkform(await projectFor("http://127.0.0.1:9"), args, key);
  expect(exit).not.toBe(0);
  expect(faultsOf(`${err}${out}`)).toEqual([]);
  expect(messagesIn(`${err}${out}`).length).toBeGreaterThan(0);
  expect(`${err}${out}`).not.toContain("hunter2");
});
