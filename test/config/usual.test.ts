// The quick checks before the schemas. Fails if they accept what a schema refuses, so that a mistake in a file is not reported, or if
// they refuse what people write every day, so that each run loads the schemas.

import { expect, test } from "vitest";
import { checkShape } from "../../src/config/shape.ts";
import { projectSchema } from "../../src/config/schema.ts";
import { isUsual } from "../../src/config/usual.ts";
import type { TreeEntry, TreeNode } from "../../src/config/yaml.ts";
import { parseYaml } from "../../src/config/yaml-errors.ts";

const BLOCKS = `
defaults: { link: { domain: go.example.com, space: Marketing, owner: growth, utm: { medium: social, term: null } } }
unspecified: keep
pixels: { Meta main: { type: facebook, value: "1234567890123456", renamed_from: Old, note: Ours } }
links:
  spring-sale:
    url: https://example.com/spring
    domain: go.example.com
    space: null
    pixels: [Meta main, 2]
    disabled: false
    password: none
    privacy: public
    privacy_password: none
    expiration: { date: 2027-03-31, time: "23:59", clicks: 5000, url: https://example.com/over }
    targeting: { country: { DE: https://example.com/de }, active: country }
    protect: true
    renamed_from: spring
    unspecified: reset
    note: printed
    owner: [growth-team, brand]
    review_by: 2027-06-30
    utm: { source: instagram, id: 7 }
  rotating: { url: https://example.com/, targeting: { rotation: [https://example.com/a] }, expiration: none }
absent: { links: [old-sale], pixels: [Old pixel] }
`;

const PROJECT = `
version: 1
service: { base_url: https://short.example.com, account_timezone: Europe/Berlin }
timezone: Europe/Berlin
domains: { go.example.com: 2, promo: promo.example.test }
spaces: { Marketing: 1 }
files: ["links/**/*.yaml"]
scope: { domains: [go.example.com], spaces: [Marketing], pixels: ["Meta *"] }
prune: removed
brake: { deletes: 30%, updates: 20, clicks: 100% }
protect: ["go.example.com/qr-*"]
allow: [create, update]
rules: { plain-http: off }
${BLOCKS}`;

function only(text: string): TreeNode {
  const { documents, diagnostics } = parseYaml(text, "a.yaml");
  expect(diagnostics).toEqual([]);
  const [document] = documents;
  if (document === undefined) throw new Error("there is no document");
  return document;
}

const ODD = `["", " ", ~, 0, -1, 0.5, 1e400, 5000000000, .nan, true, off, none, 1, "1", 101%, 2027-3-1, "24:00", a/b, "http:/x", https://example.com/,
  de, XX, "a\\u0000b", keep, scope, {}, [], [~], [[a]], [a/b], { a: b }, { a: ~ }, { id: 1 }, { date: 1 }, { domains: [] }, { env: X }]`;

/** The document with one value replaced, one key renamed, or one entry left out: each of these once. */
function* changed(node: TreeNode, odd: readonly TreeNode[]): Generator<TreeNode> {
  yield* odd;
  if (node.type === "list")
    for (const [at, item] of node.items.entries())
      for (const other of changed(item, odd)) yield { ...node, items: node.items.with(at, other) };
  if (node.type !== "map") return;
  const withEntries = (entries: readonly TreeEntry[]): TreeNode => ({
    ...node,
    entries,
    byKey: new Map(entries.map((one) => [one.key, one])),
  });
  for (const [at, one] of node.entries.entries()) {
    for (const value of changed(one.value, odd)) yield withEntries(node.entries.with(at, { ...one, value }));
    for (const key of ["", "a/b", "X", "links"]) yield withEntries(node.entries.with(at, { ...one, key }));
    yield withEntries(node.entries.toSpliced(at, 1));
  }
}

test("everything usual is accepted without the schema, and no change of it that the schema refuses", () => {
  expect(isUsual(only(BLOCKS), false)).toBe(true);
  const document = only(PROJECT);
  expect(isUsual(document, true)).toBe(true);
  const odd = only(ODD);
  let accepted = 0;
  for (const other of changed(document, odd.type === "list" ? odd.items : [])) {
    if (!isUsual(other, true)) continue;
    accepted += 1;
    expect(checkShape(other, projectSchema)).toEqual([]);
  }
  expect(accepted).toBeGreaterThan(300);
});
