// Files of links that did not change are left out before they are parsed. Fails if a link in such a file is missed, or if a file is left
// out although it has something that can matter to the rest.

import { expect, it } from "vitest";
import { aliasesIn } from "../../src/config/changed-files.ts";
import { parseYaml } from "../../src/config/yaml-errors.ts";
import { entry } from "../../src/config/yaml.ts";

const FILE = `# Spring
defaults: { link: { domain: go.example.com } }

links:
  # the first
  spring-sale:
    url: https://example.com/?a=1&b=2
    note: |
      links:
      # no comment
        deeper: { url: x }

  "quoted key/A": { url: "https://example.com/#x" } # last: one
  go.example.com/2024: # by its domain
    targeting:
      country:
        DE: https://example.com/de

  'single':
    url: >-
      https://example.com/
unspecified: keep
`;

it.each([
  ["", FILE],
  [" with CRLF", FILE.replaceAll("\n", "\r\n")],
  [" without a last line break", FILE.trimEnd()],
  [" with links at the end", FILE.slice(0, FILE.indexOf("unspecified:"))],
])("a file%s has these links", (_, text) => {
  const links = parseYaml(text, "a.yaml").documents.flatMap((node) => entry(node, "links")?.value ?? []);
  const keys = links.flatMap((node) => (node.type === "map" ? node.entries.map(({ key }) => key) : []));
  expect(aliasesIn(text)).toEqual(keys.map((key) => key.replace(/^.*\//, "").toLowerCase()));
});

it.each([
  ["an anchor", "links:\n  a: &one { url: x }\n  b: *one\n"],
  ["a tag", "links:\n  a: { url: !!str x }\n"],
  ["a merge key", "links:\n  a: { <<: *one }\n"],
  ["two documents", "links:\n  a: { url: x }\n---\nlinks:\n  b: { url: x }\n"],
  ["two sections", "links:\n  a: { url: x }\nlinks:\n  b: { url: x }\n"],
  ["a tab", "links:\n  a:\n\t\turl: x\n"],
  ["lines with too little indentation", "links:\n    a: { url: x }\n  b: { url: x }\n"],
  ["a key with escapes", 'links:\n  "\\u0061": { url: x }\n'],
  ["a complex key", "links:\n  ? a\n  : { url: x }\n"],
  ["a list", "links:\n  - a\n"],
  ["a closing bracket at the start of a line", "defaults: {\n}\nlinks:\n  a: { url: x }\n"],
  ["JSON", '{ "links": { "a": { "url": "x" } } }\n'],
  ["tombstones", "links:\n  a: { url: x }\nabsent: { links: [b] }\n"],
  ["links on one line", "links: { a: { url: x } }\n"],
])("a file with %s is not left out", (_, text) => {
  expect(aliasesIn(text)).toBeNull();
});
