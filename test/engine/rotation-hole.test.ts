// A live rotation with an empty entry, which fails for every visitor. Fails if a plan that leaves it as it is does not say so, if
// one that replaces it warns all the same, or if it is not replaced.
import { expect, it } from "vitest";
import { startScenario, type Scenario } from "../support/scenario.ts";

const start = (target_type: number): Promise<Scenario> =>
  startScenario({
    seed: {
      links: [
        {
          domain: 2,
          alias: "a",
          url: "https://example.com/",
          target_type,
          rotation: { 1: { value: "https://example.com/r2" } },
        },
      ],
    },
  });

const codes = async (scenario: Scenario): Promise<string[]> =>
  (await scenario.planDocument()).diagnostics.map(({ code }) => code);

it("is reported where the plan leaves it as it is and it is active", async () => {
  for (const [active, found] of [
    [4, ["rotation-hole"]],
    [0, []],
  ] as const) {
    const scenario = await start(active);
    await scenario.write("links: { go.example.com/a: { url: https://example.com/, unspecified: keep } }");
    expect(await codes(scenario)).toEqual(found);
  }
});

it("is replaced by a declared rotation", async () => {
  const scenario = await start(4);
  await scenario.write(
    "links: { go.example.com/a: { url: https://example.com/, targeting: { rotation: [https://example.com/r2] } } }",
  );
  expect(await codes(scenario)).toEqual([]);
  await scenario.converge();
  expect(scenario.sandbox.state().links[0]?.rotation).toEqual([{ value: "https://example.com/r2" }]);
});
