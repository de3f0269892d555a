// The outputs of the action.

import { existsSync, readFileSync } from "node:fs";

/** The exit code of a run that a brake stopped. */
export const BRAKED = 3;
const COUNTS = ["create", "update", "replace", "delete", "unchanged"];

/** The outputs by name; empty if unknown. */
export function outputsOf({ command }, files, exit) {
  const there = (file) => (file !== "" && existsSync(file) ? file : "");
  return {
    "exit-code": exit,
    braked: isBraked(there(files.json), exit),
    ...(command === "projects" ? projectsOf(files.json, exit) : {}),
    ...(command === "validate" || command === "projects" ? {} : countsOf(there(files.json), exit)),
    "plan-file": there(files.plan),
    receipt: there(files.receipt),
    report: there(files.html),
    markdown: there(files.markdown),
    json: there(files.json),
  };
}

/** Whether a brake stopped the plan, or the plan of a project. Exit code 3 also means that every change of a saved plan has moved. */
function isBraked(file, exit) {
  if (exit !== BRAKED || file === "") return false;
  const { brakes = [], projects = [] } = JSON.parse(readFileSync(file, "utf8"));
  return [brakes, ...projects.map(({ report }) => report.brakes ?? [])].some((tripped) => tripped.length > 0);
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
  const { summary, changes, result } = JSON.parse(readFileSync(file, "utf8"));
  const isChanged = ({ create, update, replace, delete: deleted }) => create + update + replace + deleted > 0;
  return {
    // A merged report has the changes in its projects.
    "has-changes": changes === undefined ? isChanged(summary) : changes.length > 0,
    ...Object.fromEntries(COUNTS.map((name) => [name, summary[name]])),
    ...result,
  };
}
