// The outputs of the action.

import { copyFileSync, existsSync, readFileSync } from "node:fs";
import path from "node:path";

/** The exit code of a run that a brake stopped. */
export const BRAKED = 3;
const RESULTS = ["applied", "failed", "skipped"];
const COUNTS = ["create", "update", "replace", "delete", "unchanged"];

/** The outputs by name; empty if unknown. */
export function outputsOf({ command }, files, exit) {
  const there = (file) => (file !== "" && existsSync(file) ? file : "");
  return {
    "exit-code": exit,
    braked: isBraked(there(files.json), exit),
    ...(command === "projects" ? projectsOf(files.json, exit) : {}),
    ...(["validate", "check", "projects"].includes(command) ? {} : countsOf(there(files.json), exit)),
    "plan-file": there(files.plan),
    record: command === "apply" ? recordsOf(files).join("\n") : "",
    report: there(files.html),
    markdown: there(files.markdown),
    json: there(files.json),
  };
}

/** Copies of the records, which are in the folders of their projects, with different names for one artifact. */
function recordsOf({ json, record, cwd }) {
  const written = reportsOf(json).flatMap((report) => report.record ?? []);
  return written.map((file, at) => {
    const copy = at === 0 ? record : record.replace(/(?=\.record\.jsonl$)/, `-${at + 1}`);
    copyFileSync(path.resolve(cwd, file), copy);
    return copy;
  });
}

/** The reports of all projects in a JSON report. */
export function reportsOf(file) {
  if (file === "" || !existsSync(file)) return [];
  const report = JSON.parse(readFileSync(file, "utf8"));
  return report.projects === undefined ? [report] : report.projects.map((project) => project.report ?? {});
}

/** Whether a brake stopped the plan, or the plan of a project. Exit code 3 also means that every change of a saved plan has moved. */
function isBraked(file, exit) {
  return exit === BRAKED && reportsOf(file).some(({ brakes = [] }) => brakes.length > 0);
}

/** The projects on one line, for a matrix. */
function projectsOf(file, exit) {
  if (exit !== 0) return {};
  const { projects } = JSON.parse(readFileSync(file, "utf8"));
  return { "has-changes": projects.length > 0, projects: JSON.stringify(projects) };
}

/** There are no counts if nothing could be planned, because zeros would mean no changes. */
function countsOf(file, exit) {
  if (file === "" || exit === 1 || exit === 64) return {};
  const reports = reportsOf(file);
  const sum = (of) => reports.reduce((total, report) => total + (of(report) ?? 0), 0);
  const results = reports.flatMap(({ result }) => result ?? []);
  return {
    "has-changes": reports.some(({ changes = [] }) => changes.length > 0),
    ...Object.fromEntries(COUNTS.map((name) => [name, sum(({ summary }) => summary?.[name])])),
    ...(results.length > 0 && {
      ...Object.fromEntries(RESULTS.map((name) => [name, sum(({ result }) => result?.[name])])),
      complete: results.length === reports.length && results.every(({ complete }) => complete),
    }),
  };
}
