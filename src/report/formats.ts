// Each format is a file of formats/, loaded when it is asked for.

import type { DrawnFormat, Format } from "./format.ts";

const LOADERS: Readonly<Record<DrawnFormat, () => Promise<Format>>> = {
  text: async (): Promise<Format> => (await import("./formats/text.ts")).text,
  json: async (): Promise<Format> => (await import("./formats/json.ts")).json,
  markdown: async (): Promise<Format> => (await import("./formats/markdown.ts")).markdown,
  html: async (): Promise<Format> => (await import("./formats/html.ts")).html,
  github: async (): Promise<Format> => (await import("./formats/github.ts")).github,
  gitlab: async (): Promise<Format> => (await import("./formats/gitlab.ts")).gitlab,
  csv: async (): Promise<Format> => (await import("./formats/csv.ts")).csv,
};

/** Loads a format. */
export async function loadFormat(name: DrawnFormat): Promise<Format> {
  return LOADERS[name]();
}
