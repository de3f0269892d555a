// What the service would store cut short, or fail at, is refused in the plan (observed.md, "Writing").

import { expect, it } from "vitest";
import { startScenario } from "../support/scenario.ts";

const rotation = (count: number, url = "https://example.com/"): string =>
  `    targeting:\n      rotation:\n${Array.from({ length: count }, (_, at) => `        - ${url}${at}\n`).join("")}`;

// Fails when a form of more than 1,000 variables is sent, or one of just so many is refused. Beside the rotation and the
// kind of target there are url, domain and alias.
it.each([
  [996, null],
  [997, "`go.example.com/a` takes 1001 form variables. The service reads 1000 and drops the rest without a word."],
])("a rotation of %i", async (count, message) => {
  const scenario = await startScenario();
  await scenario.write(`links:\n  go.example.com/a:\n    url: https://example.com/\n${rotation(count)}`);
  if (message === null) {
    await scenario.converge();
    expect(new URLSearchParams(scenario.sandbox.requests.find(({ method }) => method === "POST")?.body).size).toBe(
      1000,
    );
    return;
  }
  const { diagnostics, complete } = await scenario.planDocument();
  expect(complete).toBe(false);
  expect(diagnostics).toMatchObject([
    {
      code: "too-many-variables",
      message,
      line: 10,
      hint: "Shorten `targeting.rotation`, which takes 997 of them.",
    },
  ]);
  expect((await scenario.apply()).exit).toBe(1);
  expect(scenario.writes()).toEqual([]);
});

// Fails when the bytes are counted as people write them: the service keeps slashes and foreign letters escaped.
it("a target group of more than 64 KB", async () => {
  const scenario = await startScenario();
  const long = `https://example.com/${"ü".repeat(300)}`;
  await scenario.write(`links:\n  go.example.com/a:\n    url: https://example.com/\n${rotation(36, long)}`);
  const { diagnostics } = await scenario.planDocument();
  expect(diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual([
    expect.stringMatching(/^group-too-large `targeting.rotation` of `go.example.com\/a` takes 6\d{4} bytes/),
  ]);
  await scenario.write(`links:\n  go.example.com/a:\n    url: https://example.com/\n${rotation(34, long)}`);
  await scenario.converge();
});

// Fails when an update counts what it does not send.
it("an update counts only what it sends", async () => {
  const scenario = await startScenario();
  await scenario.write(`links:\n  go.example.com/a:\n    url: https://example.com/\n${rotation(996)}`);
  await scenario.converge();
  await scenario.write(`links:\n  go.example.com/a:\n    url: https://example.com/2\n${rotation(996)}`);
  await scenario.converge();
});
