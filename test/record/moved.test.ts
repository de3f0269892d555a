// A change that would be different now than it was reviewed is skipped as moved, and the message says what is different.

import { expect, it } from "vitest";
import { applyPlan, applyPlanDocument, GO, link, savePlan, start } from "../support/saved.ts";
import type { Scenario } from "../support/scenario.ts";
import { send } from "../support/through.ts";

const LANDING = `links:\n${link("landing")}`;
const NEW = `links:\n${link("new")}`;
const OLD = `absent: { links: [${GO}/old] }\n`;
const NOT_PLANNED = "This change is no longer planned. The files or the settings of the project no longer ask for it.";
const NONE = `links:\n${link("same")}`;
const MOVED = `links:\n  promo.example.com/moved: { url: https://example.com/moving, renamed_from: ${GO}/moving`;
const put = (id: number, form: string) => (scenario: Scenario) => send(scenario, "PUT", `/api/v1/links/${id}`, form);
const post = (alias: string, domain: number, page: string) => (scenario: Scenario) =>
  send(scenario, "POST", "/api/v1/links", `alias=${alias}&domain=${domain}&url=https%3A%2F%2Fexample.com%2F${page}`);
const remove = (id: number) => (scenario: Scenario) => send(scenario, "DELETE", `/api/v1/links/${id}`);
/** The files before and after the plan was saved, the reason, and what somebody does meanwhile. */
type Moved = [of: string, before: string, after: string, because: string, meanwhile?: (scenario: Scenario) => unknown];

// Fails if a change is made that was not reviewed, or if the message does not name the difference.
it.each<Moved>([
  [
    "the files have another value",
    LANDING,
    LANDING.replace('/landing"', '/other"'),
    "`url` would now change: https://example.com/before → https://example.com/other.",
  ],
  [
    "the files ask for another field",
    LANDING,
    LANDING.replace(" }", ", space: Marketing }"),
    "`space` would now change: none → Marketing.",
  ],
  ["the files no longer declare it", LANDING, NONE, NOT_PLANNED],
  ["the files have the old value again", LANDING, LANDING.replace('/landing"', '/before"'), NOT_PLANNED],
  [
    "someone has changed the same field",
    LANDING,
    LANDING,
    "`url` would now change: https://example.com/by-hand → https://example.com/landing.",
    put(2, "url=https%3A%2F%2Fexample.com%2Fby-hand"),
  ],
  [
    "someone has changed another field",
    LANDING,
    LANDING,
    "`space` would now change: Marketing → none.",
    put(2, "space=1"),
  ],
  ["its record is gone", LANDING, LANDING, "It would now be created and not updated.", remove(2)],
  ["its key was taken", NEW, NEW, "It would now be updated and not created (id 6).", post("new", 2, "by-hand")],
  [
    "another record has its key",
    LANDING,
    LANDING,
    "Its id is now 6 and no longer 2.",
    async (scenario) => [await remove(2)(scenario), await post("landing", 2, "before")(scenario)],
  ],
  [
    "its key was taken, and the file keeps unspecified fields",
    NEW.replace(" }", ", space: Marketing }"),
    NEW.replace(" }", ", unspecified: keep }"),
    NOT_PLANNED,
    post("new", 2, "new"),
  ],
  [
    "its key was taken, and the file asks for another field",
    NEW.replace(" }", ", space: Marketing }"),
    NEW.replace(" }", ", space: Marketing, privacy: private }"),
    "It would now be updated and not created (id 6).",
    post("new", 2, "new"),
  ],
  [
    "the record to delete has another key",
    OLD,
    `absent: { links: { ${GO}/older: { id: 3 } } }\n`,
    `Its key would now be \`${GO}/older\` and not \`${GO}/old\`.`,
    put(3, "alias=older"),
  ],
  [
    "the new record exists, and the old one is to be deleted for another reason",
    `${MOVED} }\n`,
    `links:\n  promo.example.com/moved: { url: https://example.com/moving }\n${OLD.replace("old", "moving")}`,
    "It would now be deleted and not replaced.",
    post("moved", 3, "moving"),
  ],
  [
    "both the file and the old record have another value",
    `${MOVED} }\n`,
    `${MOVED} }\n`.replace("/moving,", "/elsewhere,"),
    "The new record would have other values.",
    put(5, "url=https%3A%2F%2Fexample.com%2Felsewhere"),
  ],
  ["the tombstone is gone", OLD, NONE, NOT_PLANNED],
  [
    "the tombstone is gone, and the link is declared",
    OLD,
    `links:\n${link("old", ", privacy: private")}`,
    "It would now be updated and not deleted.",
  ],
  [
    "the new record would have other values",
    `${MOVED} }\n`,
    `${MOVED}, unspecified: keep }\n`,
    "`pixels` would no longer change.",
  ],
])(
  "a moved change is skipped with the difference, with exit code 3 if all changes have moved: %s",
  async (_what, before, after, because, meanwhile) => {
    const scenario = await start(before);
    await savePlan(scenario);
    await scenario.write(after);
    await meanwhile?.(scenario);
    const [writes, state] = [scenario.writes().length, scenario.sandbox.state()];
    const { exit, document } = await applyPlanDocument(scenario);
    expect(document.changes).toMatchObject([{ outcome: "skipped", error: { code: "moved", message: because } }]);
    const result = { applied: 0, failed: 0, skipped: 1, complete: false };
    expect([exit, document.result, document.not_reviewed]).toEqual([3, result, []]);
    expect([scenario.writes().length, scenario.sandbox.state()]).toEqual([writes, state]);
    const { out } = await applyPlan(scenario);
    expect(out).toMatch(/^Nothing was applied: 1 outdated\.\n/);
    expect(out.replace(/linkform\.yaml:\d+:\d+/, "PLACE")).toContain(
      `    ${because}\n    PLACE\n\nNext step: Run \`linkform plan --out FILE\` to see what would change now.\n`,
    );
  },
);
