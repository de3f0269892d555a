// The hidden marker by which a comment is found again: one for each command and project of a repository.

/** The comment of HTML that marks a report; `project` is the project file from the root of its repository. */
export function markerOf(command: string, project: string): string {
  return `<!-- linkform ${command} ${encodeURIComponent(project).replaceAll("-", "%2D")} -->`;
}
