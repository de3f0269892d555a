// A question that waits longer than the plan is fresh. Fails if a plan is applied that nobody has seen, or if the same plan is asked
// about twice.

import { PassThrough, Writable } from "node:stream";
import { expect, it } from "vitest";
import { apply } from "../../src/cli/apply.ts";
import { TerminalLine } from "../../src/session/terminal-line.ts";
import { fastClock } from "../support/clock.ts";
import { runIn, type Scenario, startWith } from "../support/scenario.ts";
import { send } from "../support/through.ts";

/** `linkform apply` on a terminal; before each answer, `seconds` pass and `before` happens. */
async function answered(
  scenario: Scenario,
  seconds: number,
  before: (question: number) => Promise<unknown>,
): Promise<{ exit: number; err: string; questions: number }> {
  const clock = fastClock(50);
  let [passed, questions, err] = [0, 0, ""];
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const stderr = new Writable({
    write: (chunk, _encoding, done) => {
      err += String(chunk);
      done();
      const answer = /Type `?(\w+)`? to confirm: /.exec(String(chunk))?.[1];
      if (answer === undefined) return;
      questions += 1;
      passed += seconds * 1000;
      void before(questions).then(() => stdin.write(`${answer}\n`));
    },
  });
  const { exit } = await runIn(scenario.folder, scenario.env, (world) =>
    apply(
      {
        ...world,
        stdin,
        stderr,
        line: new TerminalLine(stderr, {}),
        clock: { ...clock, now: () => clock.now() + passed },
      },
      {},
    ),
  );
  return { exit, err, questions };
}

async function start(): Promise<Scenario> {
  const links = [{ url: "https://example.com/old", domain: 2, alias: "old-one" }];
  const scenario = await startWith("absent: { links: [go.example.com/old-one] }\n", { links });
  return scenario;
}

it("reads again after a slow answer, shows what is different, and asks again", async () => {
  const scenario = await start();
  const { exit, err, questions } = await answered(scenario, 31, async (question) =>
    question === 1 ? send(scenario, "PUT", "/api/v1/links/1", "url=https://example.com/theirs") : null,
  );
  expect(err).toContain("The plan has changed:\n  changed: delete link go.example.com/old-one (id 1)\n");
  expect([exit, questions, scenario.sandbox.state().links]).toEqual([0, 2, []]);
});

it("continues after a slow answer if the plan is the same", async () => {
  const scenario = await start();
  const { exit, questions } = await answered(scenario, 31, async () => null);
  expect([exit, questions, scenario.sandbox.state().links]).toEqual([0, 1, []]);
});
