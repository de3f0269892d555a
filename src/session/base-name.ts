// The placeholder in `--base`: each project of a repository can have its own base.

const PLACEHOLDER = "{project}";

/** Replaces `{project}` by the name of the project. */
export function baseFor(base: string, name: string): string {
  return base.replaceAll(PLACEHOLDER, () => name);
}
