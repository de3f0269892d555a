// A project and an account with many changes, most of them alike, for reports.

import type { SandboxOptions } from "../../src/sandbox/index.ts";

export interface Many {
  readonly files: Readonly<Record<string, string>>;
  readonly seed: NonNullable<SandboxOptions["seed"]>;
  /** The number of changes of each action. */
  readonly counts: { readonly create: number; readonly update: number; readonly replace: 0; readonly delete: number };
}

/**
 * Of `count` changes (at least 20, a multiple of 10) half move to another host, one in ten of these with an exception, two in
 * ten are new, two are deleted, and one gets a parameter.
 */
export function manyChanges(count: number): Many {
  const numbers = Array.from({ length: count }, (_, at) => at);
  const name = (at: number): string => `l${String(at).padStart(5, "0")}`;
  const part = (at: number): number => at % 10;
  const declared = numbers.filter((at) => part(at) < 8);
  const lines = declared.map((at) => `  ${name(at)}: ${after(at, part(at))}\n`);
  const gone = numbers.filter((at) => part(at) >= 8);
  return {
    files: {
      "linkform.yaml":
        "version: 1\nservice: { base_url: https://short.example.com }\ndefaults: { link: { domain: go.example.com } }\n",
      "links/all.yaml": `links:\n${lines.join("")}`,
      "links/gone.yaml": `absent:\n  links:\n${gone.map((at) => `    - ${name(at)}\n`).join("")}`,
    },
    seed: {
      links: numbers
        .filter((at) => part(at) !== 6 && part(at) !== 7)
        .map((at) => ({ alias: name(at), domain: 2, url: before(at), clicks: at % 7 })),
    },
    counts: { create: (count / 10) * 2, update: (count / 10) * 6, replace: 0, delete: (count / 10) * 2 },
  };
}

function before(at: number): string {
  return `https://old.example.com/p/${at}?utm_source=print`;
}

function after(at: number, part: number): string {
  if (part === 5) return `{ url: "${before(at)}&utm_medium=poster" }`;
  if (part > 5) return `{ url: "https://www.example.com/new/${at}" }`;
  const moved = before(at).replace("old.", "new.");
  return part === 0 && at % 100 === 0 ? `{ url: "${moved}", disabled: true }` : `{ url: "${moved}" }`;
}
