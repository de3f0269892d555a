// The built program on a pseudo-terminal, with a person who looks at the screen first: the service holds a request until the line about it
// was seen.

import { describe, expect, it } from "vitest";
import { startProxy, type Answer } from "../support/proxy.ts";
import { key } from "../support/program.ts";
import { sandboxFor } from "../support/sandbox.ts";
import { temporaryFolder, writeFiles } from "../support/scenario.ts";
import { openSession, type Session } from "../support/terminal.ts";

const REFUSED: Answer = { status: 422, body: '{"message":{"url":["This address is blocked."]},"status":422}' };

/** Starts `apply` of four links, one after the other. The first stores get these responses, and all others reach the service. */
async function applyFour(answers: readonly ((session: Session) => Promise<Answer>)[]): Promise<Session> {
  const sandbox = await sandboxFor();
  const folder = await temporaryFolder();
  let session: Session | null = null;
  let stores = 0;
  const baseUrl = await startProxy(sandbox.url, (method) => {
    if (method !== "POST" || session === null) return "forward";
    return answers[stores++]?.(session) ?? "forward";
  });
  const links = [1, 2, 3, 4].map((at) => `  go.example.com/l${at}: { url: "https://example.com/${at}" }\n`);
  const text = `version: 1\nservice: { base_url: "${baseUrl}" }\nlinks:\n${links.join("")}`;
  await writeFiles(folder, { "linkform.yaml": text });
  session = await openSession(folder, ["apply", "--concurrency", "1"], key, 80);
  return session;
}

/** Lets a request go once this has been seen in the lowest line. */
const after =
  (lowest: RegExp, answer: Answer = "forward") =>
  async (session: Session): Promise<Answer> => {
    await session.sees(lowest);
    return answer;
  };

const PROGRESS = /Applying|Reading|Waiting/;

describe("an apply", () => {
  // Fails if the progress line overwrites the question, the line of a finished change, or the result.
  it("asks, prints each finished change above the progress line, and ends without the progress line", async () => {
    const session = await applyFour([
      after(/^Applying: 0 of 4$/),
      after(/^Applying: 1 of 4$/, REFUSED),
      after(/^Applying: 2 of 4$/),
    ]);
    await session.sees(/^Apply these 4 changes\? Type `yes` to confirm:$/);
    session.type("yes\n");
    expect(await session.ended).toBe(4);
    const lines = await session.emulator.lines();
    const answer = lines.slice(lines.indexOf("Apply these 4 changes? Type `yes` to confirm: yes") + 1);
    expect(answer).toEqual([
      "✓ created link go.example.com/l1",
      "✗ create link go.example.com/l2 failed: The service rejected url: This address",
      "    is blocked.",
      "✓ created link go.example.com/l3",
      "✓ created link go.example.com/l4",
      "",
      "Not all changes were applied: 3 created; 1 failed.",
      "",
      "Failed: 1 change",
      "",
      "✗ create link go.example.com/l2",
      "    ! error[refused] The service rejected url: This address is blocked.",
      "    linkform.yaml:5:29",
      "",
      "Next step: Fix the errors above, and run `linkform apply` again. It reads the",
      "account first, and applies only the remaining changes.",
      "",
      expect.stringMatching(/^To undo: linkform undo \.linkform\/runs\/\S+\.jsonl$/),
    ]);
    expect(lines.filter((line) => PROGRESS.test(line))).toEqual([]);
  });

  // Fails if the progress line does not go on after one Ctrl-C, or if it stays after two.
  it("Ctrl-C: the progress line goes on until the request ends; twice, the last lines say that it was stopped", async () => {
    const session = await applyFour([
      async (at) => {
        await at.sees(/^Applying: 0 of 4/);
        at.type("\u0003");
        await expect
          .poll(() => at.emulator.lines(), { timeout: 20_000 })
          .toContainEqual(expect.stringMatching(/^Stopping/));
        await at.sees(/^Applying: 0 of 4/);
        at.type("\u0003");
        return new Promise(() => undefined);
      },
    ]);
    await session.sees(/to confirm:$/);
    session.type("yes\n");
    expect(await session.ended).toBe(130);
    const lines = await session.emulator.lines();
    expect(lines.filter((line) => PROGRESS.test(line) || line.includes("^C"))).toEqual([]);
    expect(lines.slice(-3)).toEqual([
      "Stopping after the requests in progress. Press Ctrl-C again to stop immediately.",
      "Stopped immediately. Requests in progress may or may not have taken effect. Run",
      "`linkform plan` to check.",
    ]);
  });
});
