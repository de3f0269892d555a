// What it costs to print a plan of ten thousand changes, in each format, beside computing it: printing may not cost more.

import { bundled, median, timeOf } from "./bench.mjs";
import { main } from "./processes.mjs";

const CHANGES = 10_000;
const WARM_UP = 2;
const ROUNDS = 7;

const EXPORTS = `
  export { createPlan } from "./src/plan/plan.ts";
  export { NO_OPTIONS } from "./src/session/plan-flags.ts";
  export { DEFAULT_BRAKE } from "./src/domain/policy.ts";
  export { FIELDS } from "./src/domain/table.ts";
  export { FORMATS_OF } from "./src/render/format.ts";
  export { loadFormat } from "./src/render/load-format.ts";
  export { createPaint } from "./src/render/text/screen.ts";
`;

await main(async () => compare(await bundled(EXPORTS)));

async function compare({ createPlan, NO_OPTIONS, DEFAULT_BRAKE, FIELDS, FORMATS_OF, loadFormat, createPaint }) {
  const { project, state } = account(FIELDS, DEFAULT_BRAKE);
  const planned = () => createPlan(project, state, "2026-11-21T12:00:00Z", NO_OPTIONS);
  const plan = planned();
  if (plan.changes.length < CHANGES) throw new Error(`There are only ${plan.changes.length} changes.`);
  const report = { of: "plan", plan, problems: [], baseUrl: "https://short.example.com", unmanaged: null, pace: null };
  const context = { maxLength: 65_536, project: "linkform.yaml", otherReports: [], runUrl: null, blobUrl: null };
  const plain = { ...context, screen: { paint: createPaint(false), columns: null } };
  const terminal = { ...context, screen: { paint: createPaint(true), columns: 100 } };
  const drawn = await Promise.all(FORMATS_OF.plan.map(async (name) => [name, await loadFormat(name), plain]));
  drawn.splice(1, 0, ["text, on a terminal", drawn[0][1], terminal]);
  const contenders = drawn
    .filter(([, format, into]) => format.render(report, into) !== "")
    .map(([name, format, into]) => ({ name, run: () => format.render(report, into), times: [] }));
  const computing = [];
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    // Each begins on a heap that the others have filled.
    for (const { run, times } of contenders) {
      const [took, of] = [timeOf(run), timeOf(planned)];
      if (round < WARM_UP) continue;
      times.push(took);
      computing.push(of);
    }
  }
  const base = median(computing);
  console.log(
    `computing a plan of ${plan.changes.length} changes: ${base.toFixed(0)} ms (medians of ${ROUNDS} rounds)`,
  );
  for (const { name, times, run } of contenders) {
    const ratio = median(times) / base;
    const size = (run().length / 1e6).toFixed(1);
    console.log(
      `${name}: ${median(times).toFixed(0)} ms, ${size} MB, ratio ${ratio.toFixed(2)}${ratio > 1 ? " (too much)" : ""}`,
    );
    if (ratio > 1) process.exitCode = 1;
  }
}

/** Every action, on links with long addresses; as many that stay as change. */
function account(fields, brake) {
  const place = (line) => ({ file: "links/all.yaml", line, column: 3 });
  const domains = [
    { id: 2, name: "go.example.com" },
    { id: 3, name: "promo.example.com" },
  ];
  const said = (value, line) => ({ value, place: place(line) });
  const urlOf = (n, host) =>
    `https://${host}.example.com/${n % 9 === 0 ? "angebote-für-alle" : "articles"}/${n}/a-title-that-is-as-long-as-titles-are?utm_source=newsletter&utm_medium=email&utm_campaign=spring-${n % 70}&utm_content=${n}`;
  const links = [];
  const declarations = [];
  const tombstones = [];
  const declare = (n, alias, domain, url, more = {}) =>
    declarations.push({
      kind: "link",
      domain: domain.name,
      name: alias,
      place: place(n),
      fields: new Map([
        ["url", said(url, n)],
        ["alias", said(alias, n)],
        ["domain", said(domain.name, n)],
      ]),
      secrets: new Map(),
      unspecified: "reset",
      renamedFrom: null,
      protect: null,
      ...more,
    });
  const store = (n, alias, domain, url) =>
    links.push({
      kind: "link",
      id: n + 1,
      values: new Map(
        fields.link
          .filter(({ kind }) => kind !== "reference" && kind !== "references")
          .map((row) => [row.path, row.path === "alias" ? alias : row.path === "url" ? url : row.default]),
      ),
      references: new Map([
        ["domain", [domain]],
        ["space", []],
        ["pixels", []],
      ]),
      clicks: n,
      updatedAt: null,
    });
  for (let n = 0; n < 2 * CHANGES; n += 1) {
    const [alias, domain, part] = [`link-${n}`, domains[n % 3 === 0 ? 1 : 0], n % 20];
    if (part >= 10) {
      store(n, alias, domain, urlOf(n, "www"));
      declare(n, alias, domain, urlOf(n, "www"));
    } else if (part < 3) declare(n, alias, domain, urlOf(n, "www"));
    else if (part < 8) {
      store(n, alias, domain, urlOf(n, "www"));
      // Another host, another page, another parameter.
      const url = [urlOf(n, "shop"), urlOf(n + 1, "www"), `${urlOf(n, "www")}&utm_term=${n}`][n % 3];
      declare(n, alias, domain, url);
    } else {
      store(n, alias, domain, urlOf(n, "www"));
      if (part === 8) tombstones.push({ kind: "link", domain: domain.name, name: alias, id: null, place: place(n) });
      else {
        const other = domains[domain === domains[0] ? 1 : 0];
        const renamedFrom = { domain: domain.name, name: alias, place: place(n) };
        declare(n, `new-${n}`, other, urlOf(n, "www"), { renamedFrom });
      }
    }
  }
  return {
    project: {
      file: "linkform.yaml",
      baseUrl: { value: "https://short.example.com", place: place(2) },
      accountZone: "UTC",
      zone: null,
      domains: [],
      spaces: [],
      declarations,
      tombstones,
      policy: { scope: null, prune: { mode: "none", place: null }, brake, protect: [], allow: null },
    },
    state: {
      links,
      pixels: [],
      isWhole: true,
      domain: null,
      domains: null,
      spaces: null,
      accountZone: null,
      requests: 0,
      sizes: { link: { rows: links.length, perPage: 100 }, pixel: { rows: 0, perPage: 100 } },
    },
  };
}
