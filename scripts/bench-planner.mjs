// The planner's own time, without YAML and HTTP, beside that of a plain comparison of the same objects by a Map.

import { bundled, median, timeOf } from "./bench.mjs";
import { main } from "./processes.mjs";

const DECLARED = 10_000;
const LIVE = 20_000;
const WARM_UP = 10;
const ROUNDS = 31;

const EXPORTS = `
  export { createPlan, NO_OPTIONS } from "./src/plan/plan.ts";
  export { DEFAULT_BRAKE } from "./src/domain/project.ts";
  export { FIELDS } from "./src/domain/table.ts";
  export { fold } from "./src/domain/fold.ts";
  export { sameValue } from "./src/domain/value.ts";
`;

await main(async () => compare(await bundled(EXPORTS)));

function compare({ createPlan, NO_OPTIONS, FIELDS, DEFAULT_BRAKE, sameValue, fold }) {
  const place = { file: "links.yaml", line: 1, column: 1 };
  const domains = [
    { id: 2, name: "go.example.com" },
    { id: 3, name: "promo.example.com" },
  ];
  const spaces = [
    { id: 1, name: "Marketing" },
    { id: 2, name: "Sales" },
  ];
  const urlOf = (n) => `https://www.example.com/articles/${n}?utm_source=print&utm_campaign=c${n % 7}`;
  const links = Array.from({ length: LIVE }, (_, n) => ({
    kind: "link",
    id: n + 1,
    values: new Map(
      FIELDS.link
        .filter(({ kind }) => kind !== "reference" && kind !== "references")
        .map((row) => [row.path, row.path === "alias" ? `link-${n}` : row.path === "url" ? urlOf(n) : row.default]),
    ),
    references: new Map([
      ["domain", [domains[n % 2]]],
      ["space", n % 3 === 0 ? [] : [spaces[n % 2]]],
      ["pixels", n % 5 === 0 ? [{ id: 1, name: "Meta main" }] : []],
    ]),
    clicks: n,
  }));
  const pixels = [
    {
      kind: "pixel",
      id: 1,
      values: new Map([
        ["name", "Meta main"],
        ["type", "facebook"],
        ["value", "1234567890123456"],
      ]),
      references: new Map(),
      clicks: null,
    },
  ];
  const said = (value) => ({ value, place });
  // Nine of ten are as declared; every tenth has another destination.
  const declarations = Array.from({ length: DECLARED }, (_, n) => ({
    kind: "link",
    domain: domains[n % 2].name,
    name: `link-${n}`,
    place,
    fields: new Map([
      ["url", said(n % 10 === 0 ? urlOf(n + 1) : urlOf(n))],
      ["alias", said(`link-${n}`)],
      ["domain", said(domains[n % 2].name)],
      ...(n % 3 === 0 ? [] : [["space", said(spaces[n % 2].name)]]),
      ...(n % 5 === 0 ? [["pixels", said(["Meta main"])]] : []),
    ]),
    secrets: new Map(),
    unspecified: "reset",
    renamedFrom: null,
    protect: null,
  }));
  const pixel = {
    ...declarations[0],
    kind: "pixel",
    domain: null,
    name: "Meta main",
    fields: new Map([
      ["name", said("Meta main")],
      ["type", said("facebook")],
      ["value", said("1234567890123456")],
    ]),
  };
  const project = {
    file: "linkform.yaml",
    baseUrl: { value: "https://short.example.com", place },
    accountZone: "UTC",
    zone: null,
    domains: [],
    spaces: [],
    declarations: [pixel, ...declarations],
    tombstones: [],
    policy: { scope: null, prune: { mode: "none", place: null }, brake: DEFAULT_BRAKE, protect: [], allow: null },
  };
  const state = {
    links,
    pixels,
    isWhole: true,
    domain: null,
    domains: null,
    spaces: null,
    accountZone: null,
    requests: 0,
    sizes: { link: { rows: LIVE, perPage: 100 }, pixel: { rows: 1, perPage: 100 } },
  };

  const planned = () => createPlan(project, state, "2026-11-21T12:00:00Z", NO_OPTIONS);
  const plain = () => plainComparison(declarations, links, FIELDS.link, sameValue, fold);
  const [one, other] = [planned(), plain()];
  if (one.changes.length !== other.changes.length || one.unmanaged.length !== other.unmanaged.length)
    throw new Error("They find different things.");
  const times = { planner: [], plain: [] };
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    // Each begins on a heap that the other has filled.
    const took = { plain: timeOf(plain), planner: timeOf(planned) };
    if (round < WARM_UP) continue;
    times.plain.push(took.plain);
    times.planner.push(took.planner);
  }
  const [planner, baseline] = [median(times.planner), median(times.plain)];
  console.log(
    `planner ${planner.toFixed(1)} ms, plain Map comparison ${baseline.toFixed(1)} ms (medians of ${ROUNDS}; ${DECLARED} declared, ${LIVE} live)`,
  );
  console.log(`ratio ${(planner / baseline).toFixed(2)}`);
}

/** What one would write in an afternoon: a Map by key, every field compared, and what is left over counted. */
function plainComparison(declarations, links, fields, sameValue, fold) {
  const live = new Map();
  for (const row of links) live.set(`${row.references.get("domain")[0].name}/${fold(row.values.get("alias"))}`, row);
  const changes = [];
  for (const declaration of declarations) {
    const key = `${declaration.domain}/${fold(declaration.name)}`;
    const row = live.get(key);
    live.delete(key);
    const different = [];
    for (const field of fields) {
      const after = declaration.fields.get(field.path)?.value ?? field.default;
      const before = row === undefined ? undefined : valueOf(row, field);
      if (before === undefined || !sameValue(before, after)) different.push({ path: field.path, before, after });
    }
    if (different.length > 0) changes.push({ declaration, row, different });
  }
  const unmanaged = [...live.values()];
  return { changes, unmanaged };
}

function valueOf(row, field) {
  if (field.kind === "reference") return row.references.get(field.path)[0]?.name ?? null;
  if (field.kind === "references") return row.references.get(field.path).map(({ name }) => name);
  return row.values.get(field.path);
}
