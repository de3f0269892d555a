// What people read of a plan beyond the scenarios of test/plans.test.ts: the question, widths, colors and long lists.

import { describe, expect, it } from "vitest";
import { createPaint, PLAIN, widthOf, wrap } from "../../../src/report/text/screen.ts";
import { planText } from "../../../src/report/text/index.ts";
import { confirmationOf } from "../../../src/session/confirm.ts";
import { BASE, create, GO, liveLink, livePixel, planOf, remove, replace, update } from "../plans.ts";
import { brakeOf } from "../reports.ts";

const changedUrl = { path: "url", before: "https://example.com/", after: "https://example.com/new" } as const;

it("the question lists what stops working, the most clicks first", () => {
  const gone = [3, 412].map((clicks) => remove(liveLink(`gone-${clicks}`, { clicks })));
  const lines = [`  ${GO}/gone-412 (412 clicks)`, `  ${GO}/gone-3 (3 clicks)`];
  expect(confirmationOf(planOf([...gone, update(liveLink("mine"))])).lines).toEqual(lines);
});

it("a brake is red", () => {
  const changes = [update(livePixel("Meta"))];
  const plan = planOf(changes, { brakes: [brakeOf({ count: 1, limit: 0, changes })] });
  const last = planText(plan, { paint: createPaint(true), columns: null })
    .trimEnd()
    .split("\n")
    .at(-1);
  expect(last).toContain("Stopped by the brake: nothing is applied.");
  expect(last?.startsWith("\u001b[31m")).toBe(true);
});

it("changes that are left out are counted by reason, and the first ten of each are named", () => {
  const targets = Array.from({ length: 12 }, (_, at) => create(`${GO}/t${at}`));
  const withheld = targets.map((change) => ({ change, because: "target" as const }));
  const lines = planText(planOf([], { withheld }), PLAIN).split("\n");
  expect(lines.filter((line) => line.startsWith(`    create link ${GO}/t`))).toHaveLength(10);
  expect(lines).toContain("    and 2 more");
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
    {
      base: BASE,
      secretsCompared: 3,
      unknown: ["link privacy", "link space", "link pixels"],
      withheld: [{ change: create(`${GO}/left-out`), because: "allow" }],
    },
  );

  // Fails when a line is longer than the terminal though it could be broken, or when something is broken that can't be.
  it("no line is longer than it is wide, but for what can't be broken", () => {
    for (let columns = 40; columns <= 200; columns += 1) {
      const text = planText(plan, { paint: createPaint(false), columns });
      const overlong = text.split("\n").filter((line) => widthOf(line) > columns);
      // A mark, a key, an address: between them there is nothing to break.
      for (const line of overlong) expect(line).toMatch(/^ *([+~=-] )?((DE|日本) +)?(→ )?\S+$|^ +create link \S+$/u);
      for (const whole of [`${GO}/spring`, address("spring/2026"), address("de/new"), "utm_source=flyer"])
        expect(text).toContain(whole);
    }
  });

  // Fails when a name is shown as another one: the service keeps two spaces inside the name of a pixel.
  it("keeps the spaces inside a name", () => {
    const twice = planOf([update(livePixel("Meta  main"))]);
    expect(planText(twice, { paint: createPaint(false), columns: 60 })).toContain("~ update pixel Meta  main #");
  });
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

it("a pixel whose key has its id shows it once", () => {
  const twin = livePixel("Main", { id: 7, key: "Main #7" });
  expect(planText(planOf([remove(twin)]), PLAIN)).toContain("\n- delete pixel Main #7\n");
});

// Fails when the short URL that is lost is not the one that people type.
it("a link on an unknown domain stops working by its old key", () => {
  const live = liveLink("old", { values: { domain: "lost" }, key: "lost/old" });
  const change = update(live, { key: "lost/new", previousKey: "lost/old", breaksUrl: true });
  expect(planText(planOf([change]), PLAIN)).toContain("    ! lost/old stops working. Its 12 clicks are kept.\n");
});

// Fails when what people copy is broken.
it("code in backticks is on one line", () => {
  expect(wrap("say `linkform plan` to see", 15, 0)).toBe("say\n`linkform plan`\nto see");
});

// Fails if a change of somebody else's link is hidden among many that are alike.
it("a change that takes over a live link is not grouped", () => {
  const taken = Array.from({ length: 30 }, (_, at) =>
    update(liveLink(`theirs-${at}`, { id: 300 + at }), { fields: [changedUrl], takesOver: true }),
  );
  const shown = planText(planOf(taken), PLAIN);
  for (const { key } of taken) expect(shown).toContain(`~ update link ${key} #`);
});
