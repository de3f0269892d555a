// `apply --format ndjson`: one line for each event, written when it happens. `eventsOf` checks what is true for all runs (schema, order,
// counts): it fails a test if a line is missing, comes too early, or contradicts the last one.

import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { apply } from "../../src/cli/apply.ts";
import { StillClock } from "../support/clock.ts";
import { ended, eventsOf, shortly, type Told } from "../support/events.ts";
import { applyPlan, GO, link, savePlan, start, PLAN } from "../support/saved.ts";
import { testSoftware } from "../support/sandbox.ts";
import { runIn, startScenario, writeFiles, type Scenario, startWith } from "../support/scenario.ts";
import { applyThrough, once, send, SERVER_ERROR, TOO_MANY, type Act } from "../support/through.ts";
import type { Answer } from "../support/proxy.ts";

const NDJSON = { format: ["ndjson"] };
const BAD = `  ${GO}/bad: { url: https://example.com/, targeting: { country: { XX: https://example.com/ } } }\n`;

const links = (count: number): string => `links:\n${Array.from({ length: count }, (_, at) => link(`l${at}`)).join("")}`;

const codesOf = (events: readonly Told[]): string[] => ended(events).diagnostics.map(({ code }) => code);

async function streamed(file: string): Promise<Told["event"][]> {
  const text = await readFile(file, "utf8").catch(() => "");
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line).event);
}

describe("a run", () => {
  // Fails if a line is written only at the end, if no line has the address, or if stderr repeats an event.
  it("that succeeds writes each line when its event happens", async () => {
    const scenario = await startScenario();
    await scenario.write(`pixels: { P: { type: bing, value: "1000003" } }\nlinks:\n${link("a", ", pixels: [P]")}`);
    const file = path.join(scenario.folder, "events.ndjson");
    const seen: Told["event"][][] = [];
    const { exit, out } = await applyThrough(
      scenario,
      async (request): Promise<Answer> => {
        if (request.startsWith("POST")) seen.push(await streamed(file));
        return "forward";
      },
      { format: ["ndjson=events.ndjson", "text"] },
    );
    const events = eventsOf(await readFile(file, "utf8"));
    expect(shortly(events)).toEqual([
      "started",
      "read",
      "planned",
      "change_started 1",
      "change_done 1 applied",
      "change_started 2",
      "change_done 2 applied",
      "verified",
      "finished",
    ]);
    expect(seen).toEqual([
      ["started", "read", "planned", "change_started"],
      ["started", "read", "planned", "change_started", "change_done", "change_started"],
    ]);
    // On an empty account, one more request distinguishes version 44 from 49.
    const more = testSoftware === "44" || testSoftware === "49" ? 1 : 0;
    expect(events[1]).toMatchObject({ links: 0, pixels: 0, pages: 3, requests: 3 + more });
    expect(events[2]).toMatchObject({ changes: 2, summary: { create: 2 }, requests: { apply: 4, verify: 2 } });
    expect(events[6]).toMatchObject({ action: "create", kind: "link", key: `${GO}/a`, id: 1, error: null });
    expect(events[7]).toMatchObject({ changes: 2, not_as_declared: 0 });
    expect(ended(events)).toMatchObject({ exit: 0, verified: true, requests: 9 + more, diagnostics: [] });
    // Short runs do not show their duration, and the clock is fast here.
    expect([exit, out.split("\n")[0]]).toEqual([0, "Done: 2 created. Verified."]);
  });

  it("that fails in part writes the reason and the line in the file, and stderr does not repeat them", async () => {
    const scenario = await startWith(`rules: { unknown-country: warning }\nlinks:\n${link("a")}${BAD}`);
    const { exit, out, err } = await scenario.apply(NDJSON);
    const events = eventsOf(out);
    expect([exit, err]).toEqual([4, ""]);
    expect(shortly(events)).toContain("change_done 2 failed refused");
    expect(events.find((one) => one.event === "change_done" && one.change === 2)).toMatchObject({
      id: null,
      error: { path: "targeting.country", file: "linkform.yaml", line: 8, column: 74 },
    });
    expect([ended(events).exit, codesOf(events)]).toEqual([4, ["unknown-country"]]);
  });

  // Fails if the later result is missing: then the lines say applied and the exit code says failed.
  it("whose verification fails reports the change again", async () => {
    const scenario = await startWith(links(1));
    const { exit, out } = await applyThrough(
      scenario,
      once(/^GET .*links\/1/, async (): Promise<Answer> => {
        await send(scenario, "PUT", "/api/v1/links/1", "url=https%3A%2F%2Fexample.com%2Fother");
        return "forward";
      }),
      NDJSON,
    );
    const events = eventsOf(out);
    expect(shortly(events).slice(3)).toEqual([
      "change_started 1",
      "change_done 1 applied",
      "change_done 1 failed changed-meanwhile",
      "verified",
      "finished",
    ]);
    expect(events.find(({ event }) => event === "verified")).toMatchObject({ changes: 1, not_as_declared: 1 });
    expect([exit, ended(events).exit]).toEqual([4, 4]);
  });

  it("with a failed change skips its dependent changes with the reason", async () => {
    const scenario = await startScenario();
    await scenario.write(`pixels: { P: { type: bing, value: "1000003" } }\nlinks:\n${link("a", ", pixels: [P]")}`);
    const refused: Answer = { status: 422, body: '{"message":{"value":["It is wrong."]},"status":422}' };
    const { out } = await applyThrough(
      scenario,
      once(/^POST/, () => refused),
      NDJSON,
    );
    const events = eventsOf(out);
    expect(shortly(events)).toContain("change_skipped 2 skipped skipped");
    expect(ended(events)).toMatchObject({ exit: 1, result: { applied: 0, failed: 1, skipped: 1, complete: false } });
  });

  it("without changes writes no change events", async () => {
    const scenario = await startWith("");
    expect(shortly(eventsOf((await scenario.apply(NDJSON)).out))).toEqual([
      "started",
      "read",
      "planned",
      "verified",
      "finished",
    ]);
  });

  it("that exceeds a brake skips all changes, with exit code 3", async () => {
    const seeded = Array.from({ length: 12 }, (_, at) => ({ url: "https://example.com/", domain: 2, alias: `l${at}` }));
    const scenario = await startScenario({ seed: { links: seeded } });
    await scenario.write(`absent: { links: [${seeded.map(({ alias }) => `${GO}/${alias}`).join(", ")}] }`);
    const { exit, out, err } = await scenario.apply(NDJSON);
    const events = eventsOf(out);
    expect([exit, err]).toEqual([3, ""]);
    expect(events.filter(({ event }) => event === "change_skipped")).toHaveLength(12);
    expect(ended(events)).toMatchObject({ exit: 3, result: { skipped: 12 }, verified: false });
    expect(codesOf(events)).toContain("brake");
    expect(scenario.writes()).toEqual([]);
  });
});

describe("waiting", () => {
  const inTime = async (act: (clock: StillClock) => Act): Promise<Told[]> => {
    const scenario = await startWith(links(1));
    const clock = new StillClock();
    const { exit, out } = await applyThrough(scenario, act(clock), { ...NDJSON, quiet: true }, { clock });
    expect(exit).toBe(0);
    return eventsOf(out);
  };

  // Fails if the wait is reported only at its end, or without its reason.
  it("for the rate limit is reported with its length before it starts", async () => {
    const events = await inTime(() => once(/^POST/, () => TOO_MANY));
    expect(shortly(events).slice(3, 6)).toEqual(["change_started 1", "waiting limit 60", "change_done 1 applied"]);
    const at = (event: Told["event"]): number => Date.parse(events.find((one) => one.event === event)?.at ?? "");
    expect([at("waiting") - at("change_started"), at("change_done") - at("waiting")]).toEqual([0, 60_000]);
    expect(ended(events)).toMatchObject({ seconds: 60, waited: 60 });
  });

  it("for a service that does not respond is reported", async () => {
    let refused = 0;
    const events = await inTime(() => (request) => {
      if (!request.startsWith("GET") || refused === 5) return "forward";
      refused += 1;
      return { status: 503, body: "<html>away</html>" };
    });
    expect(shortly(events)).toContainEqual(expect.stringMatching(/^waiting outage \d/));
  });
});

describe("a saved plan", () => {
  // Fails if the numbers of changes differ from those in the reviewed plan.
  it("has events for applied, moved and run changes with their numbers in the plan", async () => {
    const scenario = await start(
      `links:\n${link("landing")}${link("new")}absent: { links: [${GO}/old, ${GO}/spring] }\n`,
    );
    const saved = await savePlan(scenario);
    const numberOf = (key: string): number => saved.changes.findIndex((change) => change.key === `${GO}/${key}`) + 1;
    await send(scenario, "DELETE", "/api/v1/links/3");
    await send(scenario, "PUT", "/api/v1/links/2", "url=https%3A%2F%2Fexample.com%2Fby-hand");
    const { exit, out } = await applyPlan(scenario, NDJSON);
    const events = eventsOf(out);
    expect(shortly(events).filter((line) => line.startsWith("change_") && !line.startsWith("change_started"))).toEqual(
      expect.arrayContaining([
        `change_skipped ${numberOf("old")} applied already done`,
        `change_skipped ${numberOf("landing")} skipped moved`,
        `change_done ${numberOf("new")} applied`,
        `change_done ${numberOf("spring")} applied`,
      ]),
    );
    expect(events[2]).toMatchObject({ event: "planned", changes: 4, summary: saved.summary });
    expect([exit, ended(events).exit]).toEqual([4, 4]);
  });

  // Fails if a change with two calls ends after the first, or has the id of the deleted record.
  it("with a replacement that only needs its delete has events for one change", async () => {
    const moving = `links:\n  promo.example.com/moved: { url: https://example.com/moving, renamed_from: ${GO}/moving }\n`;
    const scenario = await start(moving);
    await savePlan(scenario);
    await send(scenario, "POST", "/api/v1/links", "url=https%3A%2F%2Fexample.com%2Fmoving&domain=3&alias=moved");
    const { out } = await applyPlan(scenario, NDJSON);
    expect(shortly(eventsOf(out)).slice(3)).toEqual([
      "change_started 1",
      "change_done 1 applied",
      "verified",
      "finished",
    ]);
  });

  it("that cannot be read, or is for another service, has only the first and the last event", async () => {
    const scenario = await start(links(1));
    const missing = eventsOf((await applyPlan(scenario, NDJSON)).out);
    expect([shortly(missing), ended(missing).exit]).toEqual([["started", "finished"], 1]);
    await savePlan(scenario);
    const other = { ...NDJSON, baseUrl: "http://127.0.0.1:9" };
    const events = eventsOf((await runIn(scenario.folder, scenario.env, (world) => apply(world, other, PLAN))).out);
    expect([shortly(events), codesOf(events)]).toEqual([["started", "finished"], ["plan-address"]]);
    expect(events[0]).toMatchObject({ base_url: "http://127.0.0.1:9" });
  });
});

describe("a run that cannot start or continue", () => {
  it.each([
    ["files with mistakes", "links: { nowhere: 1 }", {}, 1, ["started", "finished"]],
    ["an unknown service", links(1), { baseUrl: "http://127.0.0.1:9" }, 1, ["started", "finished"]],
    ["nobody to ask", links(1), { yes: false }, 64, ["started", "finished"]],
    [
      "a receipt that can't be written",
      links(1),
      { receipt: "no/such/file" },
      1,
      ["started", "read", "planned", "finished"],
    ],
  ])("%s: it ends with what the exit code says", async (_, text, flags, code, told) => {
    const scenario = await startWith(text);
    const { exit, out, err } = await scenario.apply({ ...NDJSON, ...flags });
    const events = eventsOf(out);
    expect([exit, ended(events).exit, err]).toEqual([code, code, ""]);
    expect([...new Set(events.map(({ event }) => event))]).toEqual(told);
    expect(codesOf(events)).not.toEqual([]);
    expect(scenario.writes()).toEqual([]);
  });

  // Fails if the events stop at Ctrl-C: then it is unknown what was applied.
  it("that is interrupted completes the running changes and skips the others, with exit code 130", async () => {
    const scenario = await startWith(links(4));
    let stores = 0;
    const { exit, out } = await applyThrough(
      scenario,
      (request, _body, abort) => {
        if (request.startsWith("POST") && ++stores === 2) abort();
        return "forward";
      },
      { ...NDJSON, concurrency: 1 },
    );
    const events = eventsOf(out);
    expect(shortly(events).filter((line) => /_(done|skipped)/.test(line))).toEqual([
      "change_done 1 applied",
      "change_done 2 applied",
      "change_skipped 3 skipped skipped",
      "change_skipped 4 skipped skipped",
    ]);
    expect([exit, ended(events).exit, codesOf(events)]).toEqual([130, 130, ["interrupted"]]);
  });

  it("because of an internal error has an event for it", async () => {
    const scenario = await startWith(links(1));
    let asked = 0;
    const { exit, out } = await runIn(scenario.folder, scenario.env, (world) => {
      const now = (): string => {
        asked += 1;
        if (asked === 1) throw new RangeError("no such moment");
        return world.now();
      };
      return apply({ ...world, now }, { ...NDJSON, yes: true });
    });
    const events = eventsOf(out);
    expect([exit, ended(events).exit, codesOf(events)]).toEqual([1, 1, ["internal-error"]]);
  });
});

describe("the outputs of events", () => {
  it("are equal on stdout and in a file, next to other reports", async () => {
    const scenario = await startWith(links(2));
    const { exit, out } = await scenario.apply({ format: ["ndjson", "ndjson=events.ndjson", "json=apply.json"] });
    const document = JSON.parse(await readFile(path.join(scenario.folder, "apply.json"), "utf8"));
    expect(exit).toBe(0);
    expect(await readFile(path.join(scenario.folder, "events.ndjson"), "utf8")).toBe(out);
    expect(ended(eventsOf(out)).result).toEqual(document.result);
  });

  it("overwrite the file of an earlier run", async () => {
    const scenario = await startWith(links(1));
    await writeFiles(scenario.folder, { "events.ndjson": "x".repeat(100_000) });
    await scenario.apply({ format: ["ndjson=events.ndjson"] });
    const events = eventsOf(await readFile(path.join(scenario.folder, "events.ndjson"), "utf8"));
    expect(ended(events).exit).toBe(0);
  });

  // Fails if a full disk stops the apply, is reported for each line, or looks like success.
  it.each(["/dev/full", "no/such/folder/events"])(
    "%s can't be written: all is applied, it is said once, 4",
    async (file) => {
      const scenario = await startWith(links(3));
      const { exit, out, err } = await scenario.apply({ format: [`ndjson=${file}`, "json"] });
      expect([exit, JSON.parse(out).result.applied, scenario.sandbox.state().links.length]).toEqual([4, 3, 3]);
      expect(err.match(/error\[report-unwritable\]/g)).toHaveLength(1);
    },
  );

  // Fails if the exit code in the last line ignores another report that could not be written.
  it("have an exit code that includes failures of other reports", async () => {
    const scenario = await startWith(links(1));
    const { exit, out } = await scenario.apply({ format: ["ndjson", "json=no/such/folder/apply.json"] });
    expect([exit, ended(eventsOf(out)).exit]).toEqual([4, 4]);
  });

  // Fails if events contain a secret of the service or of the files.
  it("contain no secrets", async () => {
    const scenario = await startWith(`links:\n${link("a", ", password: { env: LINKFORM_SECRET_A }")}`);
    const { out } = await applyThrough(
      scenario,
      once(/^POST/, (): Answer => SERVER_ERROR),
      NDJSON,
    );
    expect(out).not.toContain("first secret");
    expect(out).not.toContain(scenario.sandbox.apiKey);
  });
});

describe("parallel changes", () => {
  it("have their own lines with a concurrency of 8", async () => {
    const scenario: Scenario = await startScenario();
    await scenario.write(links(40));
    const events = eventsOf((await scenario.apply({ ...NDJSON, concurrency: 8 })).out);
    expect(events.filter(({ event }) => event === "change_done")).toHaveLength(40);
  });
});
