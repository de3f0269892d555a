// The hidden marker by which a comment is found again: one for each command and project of a repository.

import { digest } from "../fingerprint.ts";

/** More characters of a path than this are told by their beginning and a number made of all of them. */
const LONGEST = 160;

/** The comment of HTML that marks a report; `project` is the project file from the root of its repository. */
export function markerOf(command: string, project: string): string {
  return `<!-- linkform ${command} ${nameOf(project)} -->`;
}

/** A project file in signs that end no comment of HTML, the same every time. */
function nameOf(project: string): string {
  // Of a character there may be half in a path.
  const name = encodeURIComponent(project.replaceAll(/\p{Cs}/gu, "\ufffd")).replaceAll("-", "%2D");
  return name.length <= LONGEST ? name : `${name.slice(0, LONGEST - 20)}~${digest(project)}`;
}
