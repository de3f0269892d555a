// Workflow commands in the log, and the files for the step summary and the outputs.

import { randomUUID } from "node:crypto";
import { appendFileSync, statSync } from "node:fs";

/** The maximum size of a step summary in bytes. GitHub shows nothing of a longer one. */
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

/** Prints the annotations of `--format github`, and nothing else. */
export function annotateAll(text) {
  for (const line of text.split("\n")) if (/^::(?:error|warning|notice)[ :]/.test(line)) say(line);
}

/** Masks each line of a secret in the log of this job. */
export function mask(secret) {
  for (const line of secret.split(/[\r\n]+/)) if (line !== "") say(`::add-mask::${escapeMessage(line)}`);
}

/**
 * Runs a program whose output is not read as workflow commands. Its output comes from the service and from pull requests, so a
 * line could start with `::`. Only a random word ends this mode.
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

/** Appends a report to the step summary. Returns whether the report fits. */
export function addSummary(report, { GITHUB_STEP_SUMMARY: file }) {
  if (!file || report === "") return false;
  const room = SUMMARY_BYTES - (statSync(file, { throwIfNoEntry: false })?.size ?? 0);
  const text = `${report}\n`;
  const isFitting = Buffer.byteLength(text) <= room;
  const instead = "The report is too long for this summary. See the log.\n";
  if (isFitting) appendFileSync(file, text);
  else if (Buffer.byteLength(instead) <= room) appendFileSync(file, instead);
  return isFitting;
}

/** Each value is between two random delimiter lines, so that a value cannot contain them. */
export function setOutputs(outputs, { GITHUB_OUTPUT: file }) {
  if (!file) return;
  for (const [name, value] of Object.entries(outputs)) {
    const end = randomUUID();
    appendFileSync(file, `${name}<<${end}\n${value}\n${end}\n`);
  }
}
