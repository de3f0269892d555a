// The outputs of the action.

import { existsSync, readFileSync } from "node:fs";

const COUNTS = ["create", "update", "replace", "delete", "unchanged"];

/** The outputs by name; empty if unknown. */
export function outputsOf({ command }, files, exit) {
  const there = (file) => (file !== "" && existsSync(file) ? file : "");
  return {
    "exit-code": exit,
    ...(command === "validate" ? {} : countsOf(there(files.json), exit)),
    "plan-file": there(files.plan),
    journal: there(files.journal),
    receipt: there(files.receipt),
    report: there(files.html),
    markdown: there(files.markdown),
    json: there(files.json),
  };
}

/** There are no counts if nothing could be planned, because zeros would mean no changes. */
function countsOf(file, exit) {
  if (file === "" || exit === 1 || exit === 64) return {};
  const { summary, changes, result } = JSON.parse(readFileSync(file, "utf8"));
  return {
    "has-changes": changes.length > 0,
    ...Object.fromEntries(COUNTS.map((name) => [name, summary[name]])),
    ...result,
  };
}
