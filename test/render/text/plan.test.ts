// What people read of a plan, printed without colour and kept in test/fixtures/report. Fails if a figure, a reason, a way
// out or a mark is missing or wrong, if the one-line summary is not the last line, or if a text from files or the
// service can speak to the terminal.

import { describe, expect, it } from "vitest";
import type { Plan } from "../../../src/domain/change.ts";
import { createPaint, PLAIN, type Screen } from "../../../src/render/text/screen.ts";
import { planText } from "../../../src/render/text/plan.ts";
import { widthOf, wrap } from "../../../src/render/text/width.ts";
import { confirmationOf } from "../../../src/view/confirmation.ts";
import { BASE, create, GO, liveLink, livePixel, place, planOf, remove, replace, update } from "../plans.ts";

function printed(plan: Plan): string {
  const text = planText(plan, PLAIN);
  expect(text.trimEnd().split("\n").at(-1)).toMatch(
    /^(Plan: |No changes|All changes are left out|Nothing was planned)/,
  );
  return text;
}

const fixture = (name: string): string => `../fixtures/report/${name}.txt`;

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

describe("where changes come from", () => {
  const origins = { "declared here": 2, pending: 0, drift: 1, both: 1 };
  const changes = [
    create(`${GO}/new`, { origin: "declared here" }),
    update(liveLink("spring"), { fields: [changedUrl], origin: "declared here" }),
    update(liveLink("summer"), { fields: [changedUrl], origin: "drift" }),
    update(liveLink("autumn"), { fields: [changedUrl], origin: "both" }),
  ];

  it("stands at each of them and, summed up, in the last line; the base is named", async () => {
    const whole = planOf(changes, { base: BASE });
    const plan = { ...whole, summary: { ...whole.summary, origins } };
    await expect(printed(plan)).toMatchFileSnapshot(fixture("origins"));
  });

  it("is not split up where nothing changes", () => {
    const none = { "declared here": 0, pending: 0, drift: 0, both: 0 };
    const whole = planOf([], { base: BASE });
    expect(printed({ ...whole, summary: { ...whole.summary, origins: none } })).toBe(
      "Base: origin/main (1a2b3c4).\n\nNo changes. 4 unchanged.\n",
    );
  });
});

it("without a base it ends by saying what can't be seen, but not where nothing was planned", () => {
  expect(printed(planOf([]))).toBe("No changes. 4 unchanged. Without a base, removed links are not detected.\n");
  expect(printed(planOf([], { complete: false }))).toBe("Nothing was planned.\n");
});

describe("a brake", () => {
  const limit = { limit: 9, atStake: 30, setting: "30%" } as const;

  it("of deletes says what counts as one, and marks each; a change that it did not count has no mark", async () => {
    const deletes = [
      remove(liveLink("a")),
      remove(liveLink("b", { id: 8, clicks: 1 }), { reason: "removed" }),
      remove(liveLink("c", { id: 9, clicks: null }), { reason: "undeclared" }),
      update(liveLink("new-d", { id: 10, key: `${GO}/d` }), {
        key: `${GO}/new-d`,
        previousKey: `${GO}/d`,
        reason: "renamed",
        breaksUrl: true,
        fields: [{ path: "alias", before: "d", after: "new-d" }],
      }),
      update(liveLink("e", { id: 11 }), {
        breaksUrl: true,
        fields: [{ path: "disabled", before: false, after: true }],
      }),
      replace(liveLink("f", { id: 12 }), "promo.example.com/f"),
    ];
    const brake = { limits: "deletes", kind: "link", count: 6, ...limit, limit: 3, flag: 7, key: "60%" } as const;
    const plan = planOf([...deletes, create(`${GO}/g`), remove(livePixel("Old"), { reason: "removed" })], {
      base: BASE,
      brakes: [{ ...brake, changes: deletes }],
    });
    await expect(printed(plan)).toMatchFileSnapshot(fixture("brake-deletes"));
  });

  it("of updates, of deletes of pixels and of clicks: each has its paragraph", async () => {
    const updates = [update(liveLink("a")), update(liveLink("b"))];
    const pixels = [remove(livePixel("Old"))];
    const links = [remove(liveLink("c", { clicks: 4000 }))];
    const plan = planOf([...links, ...pixels, ...updates], {
      brakes: [
        {
          limits: "deletes",
          kind: "pixel",
          count: 1,
          limit: 0,
          atStake: 1,
          setting: "0",
          flag: 1,
          key: "1",
          changes: pixels,
        },
        { limits: "updates", kind: "link", count: 2, ...limit, limit: 1, flag: 2, key: "50%", changes: updates },
        {
          limits: "clicks",
          kind: "link",
          count: 4000,
          limit: 500,
          atStake: 5000,
          setting: "10%",
          flag: 4000,
          key: "80%",
          changes: links,
        },
      ],
    });
    await expect(printed(plan)).toMatchFileSnapshot(fixture("brakes"));
  });

  it("of clicks that nobody knows says so", () => {
    const links = [remove(liveLink("c", { clicks: null }))];
    const brake = {
      limits: "clicks",
      kind: "link",
      count: null,
      ...limit,
      flag: 50,
      key: "100%",
      changes: links,
    } as const;
    expect(printed(planOf(links, { brakes: [brake] }))).toContain("the service does not report the clicks of 1 link");
  });

  it("is marked by a sign, not by colour alone; colour is red", () => {
    const changes = [remove(liveLink("a"))];
    const brake = { limits: "deletes", kind: "link", count: 1, ...limit, flag: 1, key: "1", changes } as const;
    const plan = planOf(changes, { brakes: [brake] });
    expect(printed(plan)).toContain(`- delete link ${GO}/a #7 ‼\n`);
    expect(planText(plan, { paint: createPaint(true), columns: null })).toContain(
      "\u001b[31mStopped by the brake: nothing is applied.\u001b[39m",
    );
  });
});

describe("orphans", () => {
  const old = { live: liveLink("old", { id: 12, clicks: 412 }), place: place(4), successor: null };
  const renamed = {
    live: liveLink("spring", { id: 13, clicks: 1 }),
    place: place(9),
    successor: create(`${GO}/spring-sale`, { source: place(2, "links/b.yaml") }),
  };
  const pixel = { live: livePixel("Meta: main"), place: place(1, "pixels.yaml"), successor: null };

  it("are listed with what to paste: tombstones as one block, renames each for its successor", async () => {
    const plan = planOf([renamed.successor], { base: BASE, orphans: [pixel, old, renamed] });
    await expect(printed(plan)).toMatchFileSnapshot(fixture("orphans"));
  });

  it("that were all renamed have no tombstones, and those of which none was have no others", () => {
    expect(printed(planOf([], { orphans: [renamed] }))).not.toContain("absent");
    expect(printed(planOf([], { orphans: [old] }))).toContain("To delete them, add:\n");
  });
});

describe("changes that are left out", () => {
  it("are counted by reason, and the first ten of each named", async () => {
    const pixel = create("Meta", {}, "pixel");
    const targets = Array.from({ length: 12 }, (_, at) => create(`${GO}/t${at}`));
    const plan = planOf([create(`${GO}/this`)], {
      withheld: [
        ...targets.map((change) => ({ change, because: "target" as const })),
        { change: pixel, because: "exclude" },
        { change: remove(liveLink("gone")), because: "allow" },
        { change: create(`${GO}/waits`), because: pixel },
      ],
    });
    await expect(printed(plan)).toMatchFileSnapshot(fixture("withheld"));
  });

  it("keep to a narrow screen, but for keys", () => {
    const plan = planOf([], { withheld: [{ change: create(`${GO}/a`), because: "allow" }] });
    const text = planText(plan, { ...PLAIN, columns: 30 });
    expect(text.split("\n").filter((line) => widthOf(line) > 30 && !line.includes(GO))).toEqual([]);
  });

  it("keep a plan without others from saying that nothing changes", () => {
    const plan = planOf([], { withheld: [{ change: create(`${GO}/a`), because: "target" }] });
    expect(printed(plan)).toContain("All changes are left out.");
  });
});

it("a secret that is sent although it is set is not shown as if it were left as it is", () => {
  const fields = [{ path: "password", before: true, after: true }] as const;
  expect(printed(planOf([update(liveLink("a"), { fields })]))).toContain("    password  (set, sent again)\n");
});

it("hostile names neither speak to the terminal nor break out of the lines to paste", () => {
  const name = "x\u001b[2J\u202e\n- key: {#'\"}🎈";
  const pixel = livePixel(name);
  const live = liveLink(name);
  const plan = planOf([remove(pixel, { reason: "removed", source: place(1, name) })], {
    base: { ...BASE, ref: name },
    orphans: [
      { live: pixel, place: place(1, name), successor: null },
      { live, place: place(), successor: create(name, { source: place(1, name) }) },
    ],
    withheld: [{ change: create(name), because: create(name) }],
    brakes: [
      {
        limits: "deletes",
        kind: "pixel",
        count: 1,
        limit: 0,
        atStake: 1,
        setting: name,
        flag: 1,
        key: name,
        changes: [],
      },
    ],
  });
  const lines = printed(plan).split("\n");
  expect(lines.filter((line) => /[\p{Cc}\u202e]/u.test(line))).toEqual([]);
  // A line of its own would be what the name made of it.
  expect(lines.filter((line) => /^\s*- key/.test(line))).toEqual([]);
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

// Fails when files are named too early or too late, out of their order, or where there is only one.
it("what breaks comes first, then what visitors notice, then the rest, each with the most clicks first", () => {
  const gone = [3, 412].map((clicks) => remove(liveLink(`gone-${clicks}`, { clicks })));
  const noticed = [5, 8].map((clicks) => update(liveLink(`seen-${clicks}`, { clicks }), { fields: [changedUrl] }));
  const shown = printed(planOf([create(`${GO}/new`), ...noticed, ...gone]));
  expect(shown.split("\n").filter((line) => /^(\d|[+~-] )/.test(line))).toEqual([
    "2 short URLs will stop working",
    `- delete link ${GO}/gone-412 #7`,
    `- delete link ${GO}/gone-3 #7`,
    "2 links change for visitors",
    `~ update link ${GO}/seen-8 #7`,
    `~ update link ${GO}/seen-5 #7`,
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
  const pace = { perMinute: 1000, seconds };
  expect(planText(plan, PLAIN, { pace }).trimEnd().split("\n").at(-1)).toBe(`Plan: 1 to create. 4 unchanged.${end}`);
  expect(planText(plan, { ...PLAIN, isVerbose: true }, { pace })).toContain(
    "4 unchanged, 2 unmanaged. 3 requests to read, 2 to apply, 1 to verify",
  );
});

// Fails when a link's key or a field is told twice or not at all, when the short URL that is lost is not the one that people
// type, or when clicks are counted wrongly.
describe("a paragraph", () => {
  const hosts = new Map([
    ["go", "go.example.com"],
    ["promo", "promo.example.com"],
  ]);
  const labelled = (alias: string, clicks: number): ReturnType<typeof liveLink> =>
    liveLink(alias, { key: `go/${alias}`, clicks, values: { domain: "go", disabled: true } });
  const paragraph = (change: Parameters<typeof planOf>[0][number]): string[] => {
    const paragraphs = printed(planOf([change], { hosts })).split("\n\n");
    return paragraphs.find((text) => /^[+~±-] /.test(text))?.split("\n") ?? [];
  };

  it.each([
    [0, "", ""],
    [1, " It has 1 click.", " Its 1 click is kept."],
    [2000, " It has 2,000 clicks.", " Its 2,000 clicks are kept."],
  ])("of a link with %d clicks that ends or is renamed", (clicks, has, stays) => {
    expect(paragraph(remove(labelled("sale", clicks)))).toEqual([
      "- delete link go/sale #7",
      "    go.example.com/sale",
      `    ! go.example.com/sale stops working.${clicks === 0 ? " It has 0 clicks." : has}`,
      "    url  https://example.com/",
      "    links/a.yaml:3:3",
    ]);
    const renamed = update(labelled("old", clicks), {
      key: "go/new",
      previousKey: "go/old",
      breaksUrl: true,
      fields: [{ path: "alias", before: "old", after: "new" }],
    });
    expect(paragraph(renamed)).toContain(`    ! go.example.com/old stops working.${stays}`);
  });

  it("of a new link leaves out what its key says, and no more", () => {
    const fields = [
      { path: "url", before: undefined, after: "https://example.com/" },
      { path: "domain", before: undefined, after: GO },
      { path: "alias", before: undefined, after: "example" },
      { path: "space", before: undefined, after: "example" },
    ] as const;
    const told = printed(planOf([create(`${GO}/example`, { fields })]));
    expect(told).toContain("    url    https://example.com/\n    space  example\n    links/a.yaml:3:3\n");
  });

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
    ...Array.from({ length: 40 }, (_, at) => create(`${GO}/new-${at}`)),
    ...Array.from({ length: 40 }, (_, at) => update(liveLink(`old-${at}`, { id: 100 + at }), { fields: [changedUrl] })),
  ];
  const lines = (screen: Screen): string[] => planText(planOf(changes), screen).split("\n");

  it("are one paragraph with all their keys, and each of them with --verbose", () => {
    const shown = lines({ ...PLAIN, columns: 80 });
    expect(shown.length).toBeLessThanOrEqual(40);
    for (const { key } of changes) expect(shown.join(" ")).toContain(` ${key.slice(GO.length + 1)}`);
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
