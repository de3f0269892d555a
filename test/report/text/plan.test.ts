// What people read of a plan beyond the scenarios of test/plans.test.ts: widths, colors, long lists and hostile texts. Fails if a figure
// or a mark is missing, if the one-line summary is not the last line, or if a text can speak to the terminal.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Plan } from "../../../src/domain/change.ts";
import { createPaint, PLAIN, type Screen } from "../../../src/report/text/screen.ts";
import { text as textFormat } from "../../../src/report/text/index.ts";
import { planText } from "../../../src/report/text/log.ts";
import { widthOf, wrap } from "../../../src/report/text/width.ts";
import { confirmationOf } from "../../../src/report/confirmation.ts";
import { BASE, create, GO, liveLink, livePixel, planOf, remove, replace, update } from "../plans.ts";
import { brakeOf, CONTEXT, reportsOf, textsFrom } from "../reports.ts";

function printed(plan: Plan): string {
  const text = planText(plan, PLAIN);
  expect(text.trimEnd().split("\n").at(-1)).toMatch(
    /^(Plan: |No changes|All changes are left out|Nothing was planned)/,
  );
  return text;
}

const changedUrl = { path: "url", before: "https://example.com/", after: "https://example.com/new" } as const;

it("the question lists what the plan takes over, and what stops working", () => {
  const taken = [3, 412].map((clicks) => update(liveLink(`theirs-${clicks}`, { clicks }), { takesOver: true }));
  const lines = [
    "The plan takes over 2 existing links and 1 existing pixel:",
    `  ${GO}/theirs-412 (412 clicks)`,
    `  ${GO}/theirs-3 (3 clicks)`,
    "  Meta",
  ];
  const changes = [...taken, update(livePixel("Meta"), { takesOver: true }), update(liveLink("mine"))];
  expect(confirmationOf(planOf(changes)).lines).toEqual(lines);
  expect(confirmationOf(planOf([...changes, remove(liveLink("gone", { clicks: 5 }))])).lines).toEqual([
    ...lines,
    "",
    `  ${GO}/gone (5 clicks)`,
  ]);
});

describe("a brake", () => {
  it("of deletes says what counts as one, and marks each; a brake of clicks has its own paragraph", () => {
    const deletes = [
      remove(liveLink("a")),
      update(liveLink("b"), { reason: "renamed", previousKey: `${GO}/old`, breaksUrl: true }),
      update(liveLink("c"), { breaksUrl: true, fields: [{ path: "disabled", before: false, after: true }] }),
      replace(liveLink("d"), "promo.example.com/d"),
    ];
    const clicks = brakeOf({ limits: "clicks", count: 24, limit: 9, changes: deletes });
    const brakes = [brakeOf({ count: 4, limit: 3, changes: deletes }), clicks];
    const text = printed(planOf([...deletes, create(`${GO}/e`)], { brakes }));
    expect(text.match(/^[~±-] .* ‼$/gm)).toHaveLength(4);
    expect(text).toContain(" Every change that breaks a short URL counts as a delete.");
    expect(text.match(/^‼ Too many .*?:/gm)).toEqual(["‼ Too many deletes:", "‼ Too many lost clicks:"]);
  });

  it("of clicks that nobody knows says so", () => {
    const links = [remove(liveLink("c", { clicks: null }))];
    const brake = brakeOf({ limits: "clicks", count: null, limit: 9, changes: links });
    expect(printed(planOf(links, { brakes: [brake] }))).toContain("the service does not report the clicks of 1 link");
  });

  it("is red", () => {
    const changes = [remove(liveLink("a"))];
    const plan = planOf(changes, { brakes: [brakeOf({ count: 1, limit: 0, changes })] });
    const last = planText(plan, { paint: createPaint(true), columns: null })
      .trimEnd()
      .split("\n")
      .at(-1);
    expect(last).toContain("Stopped by the brake: nothing is applied.");
    expect(last?.startsWith("\u001b[31m")).toBe(true);
  });
});

describe("changes that are left out", () => {
  it("are counted by reason, and the first ten of each are named", () => {
    const targets = Array.from({ length: 12 }, (_, at) => create(`${GO}/t${at}`));
    const withheld = targets.map((change) => ({ change, because: "target" as const }));
    const lines = printed(planOf([], { withheld })).split("\n");
    expect(lines.filter((line) => line.startsWith(`    create link ${GO}/t`))).toHaveLength(10);
    expect(lines).toContain("    and 2 more");
    expect(lines.at(-2)).toMatch(/^All changes are left out\./);
  });

  it("keep to a narrow screen, but for keys", () => {
    const plan = planOf([], { withheld: [{ change: create(`${GO}/a`), because: "allow" }] });
    const text = planText(plan, { ...PLAIN, columns: 30 });
    expect(text.split("\n").filter((line) => widthOf(line) > 30 && !line.includes(GO))).toEqual([]);
  });
});

it("hostile names neither speak to the terminal nor break out of the lines to paste", () => {
  const name = fc.constant("x\u001b[2J\u202e\n- key: {#'\"}🎈");
  for (const report of fc.sample(textsFrom(name), 1).flatMap(reportsOf)) {
    const lines = textFormat.render(report, CONTEXT).split("\n");
    expect([report.of, lines.filter((line) => /[\p{Cc}\u202e]/u.test(line))]).toEqual([report.of, []]);
    // A line of its own would be what the name made of it.
    expect([report.of, lines.filter((line) => /^\s*- key/.test(line))]).toEqual([report.of, []]);
  }
});

describe("on a terminal", () => {
  const address = (path: string): string => `https://shop.example.com/${path}`;
  const long = address("a/very/long/path/to/the/page/that/nobody/can/break?utm_source=flyer&utm_medium=print");
  const rows = [
    { path: "url", before: address("spring/2026"), after: address("spring/2027?ref=qr") },
    { path: "expiration.url", before: null, after: long },
    { path: "pixels", before: ["Meta", "Old"], after: ["Analytics", "Meta"] },
    {
      path: "targeting.country",
      before: [
        ["DE", address("de")],
        ["日本", address("jp")],
      ],
      after: [["DE", address("de/new")]],
    },
    { path: "targeting.rotation", before: [address("a"), long], after: [long, address("b")] },
  ] as const;
  const plan = planOf(
    [
      remove(liveLink("sale", { clicks: 8240 }), { reason: "removed" }),
      replace(liveLink("fair", { id: 12 }), "promo.example.com/fair"),
      update(liveLink("spring"), { fields: rows, origin: "both" }),
      create(`${GO}/new`, { fields: [{ path: "url", before: undefined, after: long }] }),
    ],
    { base: BASE, secretsCompared: 3, unknown: ["link privacy", "link space", "link pixels"] },
  );

  // Fails when a line is longer than the terminal though it could be broken, or when something is broken that can't be.
  it("no line is longer than it is wide, but for what can't be broken", () => {
    for (let columns = 40; columns <= 200; columns += 1) {
      const text = planText(plan, { paint: createPaint(false), columns });
      const overlong = text.split("\n").filter((line) => widthOf(line) > columns);
      // A mark, a key, an address: between them there is nothing to break.
      for (const line of overlong) expect(line).toMatch(/^ *([+~=-] )?((DE|日本) +)?(→ )?\S+$/u);
      for (const whole of [`${GO}/spring`, address("spring/2026"), address("de/new"), "utm_source=flyer"])
        expect(text).toContain(whole);
    }
  });

  // Fails when a name is shown as another one: the service keeps two spaces inside the name of a pixel.
  it("keeps the spaces inside a name", () => {
    const twice = planOf([update(livePixel("Meta  main"))]);
    expect(planText(twice, { paint: createPaint(false), columns: 60 })).toContain("~ update pixel Meta  main #");
  });

  it("where nobody says how wide it is, no sentence is broken", () => {
    expect(planText(plan, PLAIN)).toContain(
      "go.example.com/fair is deleted after promo.example.com/fair is created. Its id and its 12 clicks are lost.\n",
    );
  });
});

it("what breaks comes first, then what visitors notice, then the rest, each with the most clicks first", () => {
  const gone = [3, 412].map((clicks) => remove(liveLink(`gone-${clicks}`, { clicks })));
  const noticed = [5, 8].map((clicks) => update(liveLink(`seen-${clicks}`, { clicks }), { fields: [changedUrl] }));
  const shown = printed(planOf([create(`${GO}/new`), ...noticed, ...gone]));
  expect(shown.split("\n").filter((line) => /^(\d|[+~-] )/.test(line))).toEqual([
    "2 short URLs will stop working",
    `- delete link ${GO}/gone-412 #7 · 412 clicks`,
    `- delete link ${GO}/gone-3 #7 · 3 clicks`,
    "2 links change for visitors",
    `~ update link ${GO}/seen-8 #7 · 8 clicks`,
    `~ update link ${GO}/seen-5 #7 · 5 clicks`,
    "1 new link",
    `+ create link ${GO}/new`,
  ]);
});

// Fails when a minute is left out of what applying takes, when what needs no waiting is said to take time, or when the
// requests of one step are said of another.
it.each([
  [0, ""],
  [1, " Applying takes about 1 min at the limit of 1,000 requests per minute."],
  [60, " Applying takes about 1 min at the limit of 1,000 requests per minute."],
  [61, " Applying takes about 2 min at the limit of 1,000 requests per minute."],
])("the last line says how long %d seconds are", (seconds, end) => {
  const plan = planOf([create(`${GO}/a`)], {
    base: { ref: "main", commit: "1a2b3c4d" },
    requests: { read: 3, apply: 2, verify: 1 },
  });
  const pace = { per_minute: 1000, seconds };
  expect(planText(plan, PLAIN, { pace }).trimEnd().split("\n").at(-1)).toBe(`Plan: 1 to create. 4 unchanged.${end}`);
  expect(planText(plan, { ...PLAIN, isVerbose: true }, { pace })).toContain(
    "2 live objects are not in the files.\n3 requests to read, 2 to apply, 1 to verify",
  );
});

// Fails when the short URL that is lost is not the one that people type.
describe("a paragraph", () => {
  const paragraph = (change: Parameters<typeof planOf>[0][number]): string[] => {
    const paragraphs = printed(planOf([change])).split("\n\n");
    return paragraphs.find((text) => /^[+~±-] /.test(text))?.split("\n") ?? [];
  };

  it("of a pixel whose key has its id does not say it twice", () => {
    const twin = livePixel("Main", { id: 7, key: "Main #7" });
    expect(paragraph(remove(twin))[0]).toBe("- delete pixel Main #7");
    expect(paragraph(remove(livePixel("Main", { id: 7 })))[0]).toBe("- delete pixel Main #7");
  });

  it("of a link on a domain that nobody knows has its old key as what ends", () => {
    const live = liveLink("old", { values: { domain: "lost" }, key: "lost/old" });
    const change = update(live, { key: "lost/new", previousKey: "lost/old", breaksUrl: true });
    expect(paragraph(change)).toContain("    ! lost/old stops working. Its 12 clicks are kept.");
  });

  it("has a hundred columns where nobody says how wide it is", () => {
    const line = (length: number): string[] => {
      const after = `https://example.com/?${"x".repeat(length)}`;
      return paragraph(create(`${GO}/new`, { fields: [{ path: "url", before: undefined, after }] }));
    };
    // Behind a label of nine columns there are 91.
    expect(line(70)).toHaveLength(3);
    expect(line(71)).toHaveLength(4);
  });
});

// Fails when what people copy is broken where it would fit on a line of its own, or goes over the screen where it would not.
it.each([
  [14, "say `linkform\nplan` to see"],
  [15, "say\n`linkform plan`\nto see"],
])("what stands in backticks in %d columns", (columns, lines) => {
  expect(wrap("say `linkform plan` to see", columns, 0)).toBe(lines);
});

describe("changes that are alike", () => {
  const changes = [
    ...Array.from({ length: 40 }, (_, at) =>
      create(`${GO}/new-${at}`, { fields: [{ path: "url", before: undefined, after: `https://example.com/${at}` }] }),
    ),
    ...Array.from({ length: 40 }, (_, at) => update(liveLink(`old-${at}`, { id: 100 + at }), { fields: [changedUrl] })),
  ];
  const lines = (screen: Screen): string[] => planText(planOf(changes), screen).split("\n");

  it("are one paragraph with all their keys, and each of them with --verbose", () => {
    const shown = lines({ ...PLAIN, columns: 80 });
    expect(shown.length).toBeLessThanOrEqual(100);
    expect(lines({ ...PLAIN, columns: 80, isQuiet: true }).length).toBeLessThanOrEqual(40);
    for (const { key } of changes) expect(shown.join(" ")).toContain(key.slice(GO.length + 1));
    expect(
      lines({ ...PLAIN, isVerbose: true }).filter((line) => /^[+~] (create|update) link /.test(line)),
    ).toHaveLength(80);
  });

  it("stand alone if a short URL stops working, or a live link is taken over", () => {
    const ends = Array.from({ length: 30 }, (_, at) => remove(liveLink(`gone-${at}`, { id: 200 + at, clicks: at })));
    const taken = Array.from({ length: 30 }, (_, at) =>
      update(liveLink(`theirs-${at}`, { id: 300 + at }), { fields: [changedUrl], takesOver: true }),
    );
    const shown = planText(planOf([...ends, ...taken]), PLAIN);
    for (const { key } of ends) expect(shown).toContain(`- delete link ${key} #`);
    for (const { key } of taken) expect(shown).toContain(`~ update link ${key} #`);
    expect(shown.indexOf("gone-29")).toBeLessThan(shown.indexOf("gone-1 "));
  });
});
