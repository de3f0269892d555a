// The digest of a file that linkform reads again: it shows that the file was altered, not who made it.

/** The sha256 of a text in UTF-8, in hexadecimal digits. */
export type Sha256 = (text: string) => string;

/** Over the content, not over the text: white space may differ. */
export function digestOf(content: object, sha256: Sha256): string {
  return `sha256:${sha256(JSON.stringify(JSON.parse(JSON.stringify(content))))}`;
}
