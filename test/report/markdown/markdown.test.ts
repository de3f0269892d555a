// What single parts of a markdown report say. Fails when a link leads beside its line, a comment is found again by the wrong name,
// a part that does not fit is not counted, or two values are shown otherwise than they are.

import { describe, expect, test } from "vitest";
import type { Update } from "../../../src/domain/change.ts";
import { error } from "../../../src/domain/diagnostic.ts";
import type { RenderContext, Report } from "../../../src/report/format.ts";
import { changeResults } from "../../../src/report/document.ts";
import type { FlagFor } from "../../../src/report/brakes.ts";
import { markdown, markerOf } from "../../../src/report/markdown/index.ts";
import { Rendered } from "../../support/rendered.ts";
import { create, GO, liveLink, place, planOf, remove, update } from "../plans.ts";
import { failureReport } from "../../../src/report/failure.ts";
import { applyReport, driftReport } from "../../../src/report/run-document.ts";
import { brakeOf, CONTEXT, ENDED, planReport } from "../reports.ts";

const SETTING: RenderContext = { ...CONTEXT, project: "linkform.yaml" };

const shown = (report: Report, setting: Partial<RenderContext> = {}): Rendered =>
  new Rendered(markdown(report, { ...SETTING, ...setting }));

describe("a place in the files", () => {
  const blob = "https://git.example.com/o/links/blob/5d1c2a7/";
  const at = (file: string, setting: Partial<RenderContext>): Rendered =>
    shown(
      failureReport({ command: "plan", diagnostics: [error("x", "Wrong.", place(7, file))], baseUrl: null }),
      setting,
    );

  test.each([
    ["a.yaml", "linkform.yaml", "a.yaml#L7"],
    ["links/a.yaml", "shop/eu/linkform.yaml", "shop/eu/links/a.yaml#L7"],
    ["a b#c?d%(e).yaml", "linkform.yaml", "a%20b%23c%3Fd%25%28e%29.yaml#L7"],
    ["é.yaml", "linkform.yaml", "%C3%A9.yaml#L7"],
  ])("%s of %s is linked", (file, project, expected) => {
    expect(at(file, { blobUrl: blob, project }).links()).toEqual([`${blob}${expected}`]);
  });

  test("is no link where the page is not known, is no address, or is of another commit", () => {
    expect(at("a.yaml", {}).links()).toEqual([]);
    const odd = at("a.yaml", { blobUrl: "https://x.example/)[a](javascript:x)/" }).links();
    expect(odd).toEqual(["https://x.example/%29%5Ba%5D%28javascript:x%29/a.yaml#L7"]);
    expect(at("a.yaml", {}).texts("code")).toContain("a.yaml:7");
  });
});

const pixel = create("Meta", {}, "pixel");
const noticed = update(liveLink("a"), {
  fields: [{ path: "url", before: "https://a.example/", after: "https://b.example/" }],
});
const silent = update(liveLink("a"), { fields: [{ path: "space", before: null, after: "Sales" }] });

test.each([
  [
    "counts what visitors notice",
    [noticed],
    "✅ Nothing breaks: every short URL keeps working. 1 link changes for visitors.",
  ],
  ["has no such count for other changes", [silent], "✅ Nothing breaks: every short URL keeps working."],
  ["does not speak of short URLs where only pixels change", [pixel], "✅ Nothing breaks: only pixels change."],
])("the first sentence %s", (_, changes, expected) => {
  expect(shown(planReport(planOf(changes))).texts("p")[0]).toBe(expected);
});

describe("in a pull request", () => {
  const origin = {
    of: "request",
    login: "ada",
    commit: "1a2b3c4d5e6f7a8b9c0d1a2b3c4d5e6f7a8b9c0d",
    commitUrl: "https://github.example.com/octo/links/commit/1a2b3c4d5e6f7a8b9c0d1a2b3c4d5e6f7a8b9c0d",
  } as const;
  const changes = [remove(liveLink("a"))];
  const brakes = [brakeOf({ count: 70, limit: 3, changes })];

  test("the report says who changed it, in which commit, and when it applies, and notifies nobody", () => {
    const page = shown(planReport(planOf(changes)), { origin });
    expect(page.texts("p").slice(2, 4)).toEqual(["Changed by @ada in 1a2b3c4.", "Applies after the merge."]);
    expect(page.links()).toContain(origin.commitUrl);
    expect(page.text("code")).not.toContain("@");
  });

  test("a braked plan says that the deploy will stop, and how to start it with an allowance", () => {
    const plan = planOf(changes, { brakes });
    const held = planReport(plan);
    const alert = (flagFor: FlagFor): string | undefined =>
      shown(planReport(plan, { flagFor }), { origin }).texts("blockquote")[0];
    expect(alert("github")).toContain("The brake will stop the deploy of this plan.");
    expect(alert("github")).toContain("start the deploy workflow with the input allow-deletes: 70");
    expect(alert("gitlab")).toContain("start the deploy pipeline with the variable LINKFORM_ALLOW_DELETES=70");
    expect(shown(held, { origin }).text()).not.toContain("Applies after the merge.");
    expect(shown(held, { origin: null }).texts("blockquote")[0]).toContain("run again with --allow-deletes 70");
  });
});

test("an apply says at each change where it comes from, because no sentence says it for all", () => {
  const planned = planOf([create(`${GO}/a`, { origin: "drift" })]);
  const origins = { "declared here": 0, pending: 0, drift: 1, both: 0 };
  const plan = { ...planned, summary: { ...planned.summary, origins } };
  const results = changeResults(plan, []).map((one) => ({ ...one, outcome: "applied" as const, error: null }));
  expect(shown(planReport(plan)).texts("li")[0]).not.toContain("was changed by hand");
  const applied = shown(applyReport({ plan, problems: [], baseUrl: "", results, ended: ENDED }));
  expect(applied.texts("li")[0]).toContain("was changed by hand");
});

test("members of a group have the live value: what it was in a plan, what it is in a drift report", () => {
  const url = (at: number) => ({ path: "url", before: `https://old.example/${at}`, after: "https://new.example/" });
  const plan = planOf([1, 2, 3, 4, 5].map((at) => update(liveLink(`a${at}`, { id: at }), { fields: [url(at)] })));
  expect(shown(planReport(plan)).text()).toContain(`${GO}/a1, was https://old.example/1`);
  expect(shown(driftReport({ plan, problems: [], baseUrl: "" })).text()).toContain(
    `${GO}/a1, is https://old.example/1`,
  );
});

test("the marker is the same for a project, another one for another, and ends where it should", () => {
  const names = [
    "linkform.yaml",
    "a-b.yaml",
    "a--b.yaml",
    "a%2Db.yaml",
    "-->.yaml",
    "a/b.yaml",
    "\ud800.yaml",
    "a\nb.yaml",
  ];
  const long = ["a", "b"].map((end) => `${"long/".repeat(60)}${end}.yaml`);
  const markers = [...names, ...long].map((name) => markerOf("plan", name));
  expect(new Set(markers).size).toBe(markers.length);
  for (const marker of markers) expect(marker).toMatch(/^<!-- linkform plan [\w.%!~*'()]{1,200} -->$/);
  expect(markerOf("plan", "a-b.yaml")).toBe("<!-- linkform plan a%2Db.yaml -->");
});

// Pasted without a correction, they would lead visitors elsewhere.
test("lines to paste have no user name or password, and say so", () => {
  const linesFor = (url: string): string => {
    const unmanaged = [{ live: liveLink("a"), key: "b", block: [{ key: "url", value: url }], kept: [] }];
    return markdown(planReport(planOf([]), { unmanaged }), SETTING);
  };
  expect(linesFor("https://u:hunter7@a.example/")).not.toContain("hunter7");
  expect(linesFor("https://u:hunter7@a.example/")).toContain("replaces the user name and password of a destination");
  expect(linesFor("https://a.example/@x")).not.toContain("replaces the user name");
});

test("user names and passwords of destinations are hidden, one by one or in a line for many", () => {
  const secret = (host: string, at: number): string => `https://user:s3cret@${host}.example.com/${at}?next=x`;
  const url = (before: string | undefined, after: string) => ({ path: "url", before, after });
  const numbers = Array.from({ length: 30 }, (_, at) => at);
  const updates = (name: string, field: (at: number) => Parameters<typeof url>): Update[] =>
    numbers.map((at) => update(liveLink(`${name}${at}`), { fields: [url(...field(at))] }));
  const changes = [
    ...updates("h", (at) => [secret("old", at), secret("new", at)]),
    ...updates("s", (at) => [secret("old", at), `https://user:other@x.example.com/p/${at}?next=x`]),
    ...updates("v", (at) => [`https://a.example.com/${at}`, secret("one", 1)]),
    ...numbers.map((at) => create(`${GO}/n${at}`, { fields: [url(undefined, secret("new", at))] })),
    update(liveLink("alone"), {
      fields: [
        url(secret("a", 1), secret("b", 2)),
        { path: "targeting.country", before: [["DE", secret("d", 1)]], after: [["DE", secret("e", 1)]] },
        { path: "targeting.rotation", before: [], after: [secret("f", 1)] },
      ],
    }),
    remove(liveLink("gone", { values: { url: secret("gone", 1) } })),
  ];
  const page = shown(planReport(planOf(changes)));
  expect(page.text()).not.toMatch(/s3cret|user:/);
  expect(page.text()).toContain("•••@");
  expect(page.texts("li").filter((text) => /^[~+] \w+ 30 links/.test(text.trim()))).toHaveLength(4);
});

test("a value that many changes share is quoted, even in parentheses", () => {
  const space = { path: "space", before: undefined, after: "(@team [x](https://evil.example))" };
  const changes = Array.from({ length: 5 }, (_, at) => create(`${GO}/n${at}`, { fields: [space] }));
  const page = shown(planReport(planOf(changes)));
  expect(page.texts("code")).toContain(space.after);
  expect(page.links()).toEqual([]);
});

const moved = Array.from({ length: 900 }, (_, at) =>
  update(liveLink(`l${at}`, { clicks: 2 }), {
    fields: [{ path: "url", before: `https://old.example.com/${at}`, after: `https://new.example.com/${at}` }],
  }),
);
const gone = Array.from({ length: 300 }, (_, at) => remove(liveLink(`gone-${at}`, { clicks: at })));
const fresh = Array.from({ length: 19 }, (_, at) => create(`${GO}/new-${at}`));

test("what does not fit is counted, and more room shows more", () => {
  const plan = planReport(planOf([...gone, ...moved, ...fresh]));
  const pages = [1000, 3000, 12_000, 65_536].map((maxLength) => {
    const written = markdown(plan, { ...SETTING, maxLength });
    const page = new Rendered(written);
    expect(written.length, `in ${maxLength} characters`).toBeLessThanOrEqual(maxLength);
    const summary = page.texts("p").slice(0, 2).join(" ");
    expect(summary, `in ${maxLength} characters`).toContain("19 to create, 900 to update, 300 to delete");
    expect(summary, `in ${maxLength} characters`).toContain("300 short URLs will stop working (44,850 clicks so far)");
    expect(page.texts("em").at(-1), `in ${maxLength} characters`).toBe(
      "This report is shortened. Full report: linkform plan.",
    );
    expect(page.text("code", "pre"), `in ${maxLength} characters`).not.toMatch(/\*\*|```|^#|\|.*\||<\/?\w/m);

    const [lost = ""] = /### ⛔ 300[^]*?(?=###|$)/.exec(written) ?? [];
    const named = lost.match(/^- \*\*−\*\*/gm)?.length ?? 0;
    const [, more = "0"] = /… and (\d+) more/.exec(lost) ?? [];
    expect(named + Number(more), `in ${maxLength} characters`).toBe(lost === "" ? 0 : 300);
    const keys = new Set(page.texts("code").filter((text) => text.startsWith(`${GO}/`))).size;
    return { length: written.length, keys, items: page.elements("li").length };
  });
  for (const measure of ["length", "keys", "items"] as const) {
    const sizes = pages.map((page) => page[measure]);
    expect(sizes).toEqual(sizes.toSorted((one, other) => one - other));
  }
  expect(pages[0]?.keys).toBeGreaterThan(0);
  expect(pages.at(-1)?.keys).toBeGreaterThan(400);
});

test.each([1000, 65_536])("what does not fit of a partial plan is counted in %i characters", (maxLength) => {
  const change = create(`${GO}/${"x".repeat(30)}`);
  const withheld = Array.from({ length: 3000 }, () => ({ change, because: "target" as const }));
  const page = shown(planReport(planOf([], { withheld })), { maxLength });
  expect(page.texts("em").at(-1)).toContain("This report is shortened");
  expect(page.texts("h3")).toEqual(["⚠️ Partial plan: 3,000 changes are left out"]);
  const [, more = ""] = /… and ([\d,]+) more/.exec(page.text()) ?? [];
  const named = page.texts("li").filter((text) => text.startsWith("create link"));
  if (maxLength > 1000) expect(named.length + Number(more.replace(",", ""))).toBe(3000);
});

test("what does not fit keeps the marker and says where the rest is", () => {
  const origin = { of: "request", login: "x".repeat(1000), commit: null, commitUrl: null } as const;
  const written = markdown(planReport(planOf([])), { ...SETTING, maxLength: 1000, origin });
  expect(written).toBe(
    `${markerOf("plan", SETTING.project)}\n## linkform plan\n\n✅ **No changes.**\n\n4 unchanged. Without a base, removed links are not detected.\n\n_This report is shortened. Full report: \`linkform plan\`._\n`,
  );
});

test("a short report stays whole with long names", () => {
  const setting = { maxLength: 1000, project: `${"deep-folder/".repeat(15)}linkform.yaml` };
  const long = liveLink("x".repeat(255), { clicks: 9 });
  const diagnostics = [error("x", "long ".repeat(999), place(1, "f".repeat(999)), "hint ".repeat(999))];
  for (const plan of [
    planReport(planOf([remove(long)], { brakes: [brakeOf({ count: 1, limit: 0 })] })),
    planReport(planOf([], { complete: false, diagnostics })),
  ]) {
    const written = markdown(plan, { ...SETTING, ...setting });
    expect(written.length).toBeLessThanOrEqual(1000);
    const page = new Rendered(written);
    expect(page.texts("h2")).toHaveLength(1);
    expect(page.texts("p")[0]).toMatch(/^(⛔|\[!CAUTION\])/);
    expect(page.texts("em").at(-1)).toContain("This report is shortened");
  }
});
