// What a report's page may do: nothing but show itself.

/**
 * The SHA-256 of style.ts's and script.ts's texts: `report/` has no hash function, so they stand here, and
 * test/render/html/policy.test.ts says what to write when either changes.
 */
export const STYLE_HASH = "sha256-uQoW6ZdREwaTL501/vrNayM1SXwi7L5b/FMexOrntWM=";
export const SCRIPT_HASH = "sha256-KFG6g5PPFC32eTWty2hm7i9qI6ellu2ZPVzwTMfJOqY=";

/**
 * Values come from the service and from strangers' pull requests. Should one ever be taken for markup, this is what is left of
 * it: a script, a handler, a style or a frame of its own does nothing, no picture and no form reaches anybody, and what our own
 * script is given can't become markup.
 */
export const POLICY: string = [
  "default-src 'none'",
  `style-src '${STYLE_HASH}'`,
  `script-src '${SCRIPT_HASH}'`,
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");
