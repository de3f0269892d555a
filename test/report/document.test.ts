// The JSON of what a plan says of ownership. Fails if the documents and their schemas part, or if a key is missing, in
// other words than the schema's, or filled from the wrong place.

import { readFile } from "node:fs/promises";
import { Ajv } from "ajv";
import { expect, it } from "vitest";
import { reportedChanges } from "../../src/report/change-document.ts";
import { planDocument, changeResults } from "../../src/report/document.ts";
import { applyDocument } from "../../src/report/json/index.ts";
import { BASE, create, GO, liveLink, livePixel, place, planOf, remove, replace, update } from "./plans.ts";
import { brakeOf } from "./reports.ts";

const URL = "https://short.example.com";

async function isValid(name: string, document: object): Promise<unknown> {
  const schema = JSON.parse(await readFile(`schemas/${name}.schema.json`, "utf8"));
  const check = new Ajv({ strict: false }).compile(schema);
  return check(JSON.parse(JSON.stringify(document))) ? "valid" : check.errors;
}

const removed = remove(liveLink("old"), { reason: "removed", origin: "declared here" });
const successor = create(`${GO}/spring-sale`, { origin: "declared here" });
const full = planOf([removed, replace(liveLink("f"), "promo.example.com/f"), successor], {
  base: BASE,
  brakes: [
    brakeOf({ count: 1, limit: 0, atStake: 3, setting: "0", flag: 2, key: "1", changes: [removed] }),
    brakeOf({ limits: "clicks", count: null, limit: 9, atStake: 90, setting: "10%", flag: 90 }),
  ],
  orphans: [
    { live: livePixel("Meta: main"), place: place(1, "pixels.yaml"), successor: null },
    { live: liveLink("spring", { id: 13 }), place: place(9), successor },
  ],
  withheld: [
    { change: update(liveLink("b", { id: 8 })), because: "allow" },
    { change: create(`${GO}/c`), because: create("Meta", {}, "pixel") },
  ],
});
const plan = { ...full, summary: { ...full.summary, origins: { "declared here": 2, pending: 0, drift: 1, both: 0 } } };

it("of a plan with all of it", async () => {
  const unmanaged = [
    { live: livePixel("Theirs"), key: "Theirs", kept: [], block: [{ key: "type", value: "bing" }] },
    { live: liveLink("?"), problem: "its alias must be something else" },
  ];
  const document = planDocument({ plan, problems: [], baseUrl: URL, unmanaged }, reportedChanges(plan));
  const results = changeResults(plan, []);
  const held = { of: "apply", plan, problems: [], baseUrl: URL, results } as const;
  expect(await isValid("plan", document)).toBe("valid");
  expect(await isValid("apply", applyDocument(held))).toBe("valid");
  await expect(`${JSON.stringify(document, null, 2)}\n`).toMatchFileSnapshot("../fixtures/report/plan.json");
});

it("of a plan with none of it, and of a secret that is sent again", async () => {
  const fields = [{ path: "password", before: true, after: true }] as const;
  const resent = planOf([update(liveLink("a"), { fields })]);
  const document = planDocument({ plan: resent, problems: [], baseUrl: URL }, reportedChanges(resent));
  expect(await isValid("plan", document)).toBe("valid");
  expect(document).toMatchObject({ base: null, brakes: [], orphans: [], withheld: [], summary: { origins: null } });
  const secret = { secret: "set" };
  expect(document.changes).toMatchObject([
    { origin: null, fields: [{ path: "password", before: secret, after: secret }] },
  ]);
});
