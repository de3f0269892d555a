// How a step speaks to GitHub: commands in the log, the summary and the outputs as files.

import { randomUUID } from "node:crypto";
import { appendFileSync, statSync } from "node:fs";

/** What a step's summary may hold, in bytes: with more, nothing of it is shown. */
const SUMMARY_BYTES = 1024 * 1024;

function say(line) {
  process.stdout.write(`${line}\n`);
}

function escapeMessage(text) {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

/** `severity`: error, warning or notice. */
export function annotate(severity, message) {
  say(`::${severity} title=linkform::${escapeMessage(message)}`);
}

/** Prints what `--format github` wrote: annotations and nothing else. */
export function annotateAll(text) {
  for (const line of text.split("\n")) if (/^::(?:error|warning|notice)[ :]/.test(line)) say(line);
}

/** Keeps a secret out of this job's log, each of its lines for itself. */
export function mask(secret) {
  for (const line of secret.split(/[\r\n]+/)) if (line !== "") say(`::add-mask::${escapeMessage(line)}`);
}

/**
 * Runs something whose lines are shown and not obeyed: what it prints comes from the service and from pull requests, and a
 * line that begins with `::` would be a command. Only a word that nobody can know ends this.
 */
export async function withoutCommands(run) {
  const word = randomUUID();
  say(`::stop-commands::${word}`);
  try {
    return await run();
  } finally {
    say(`::${word}::`);
  }
}

/** Adds a report to the step's summary, which may hold something already. Returns whether it stands there now. */
export function addSummary(report, { GITHUB_STEP_SUMMARY: file }) {
  if (!file || report === "") return false;
  const room = SUMMARY_BYTES - (statSync(file, { throwIfNoEntry: false })?.size ?? 0);
  const text = `${report}\n`;
  const isFitting = Buffer.byteLength(text) <= room;
  const instead = "The report is too long for this summary: the log has it.\n";
  if (isFitting) appendFileSync(file, text);
  else if (Buffer.byteLength(instead) <= room) appendFileSync(file, instead);
  return isFitting;
}

/** Each value stands between two lines that it can't hold, for they are made anew each time. */
export function setOutputs(outputs, { GITHUB_OUTPUT: file }) {
  if (!file) return;
  for (const [name, value] of Object.entries(outputs)) {
    const end = randomUUID();
    appendFileSync(file, `${name}<<${end}\n${value}\n${end}\n`);
  }
}
