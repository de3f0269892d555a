// `--concurrency` limits the number of parallel writes.

import { expect, it } from "vitest";
import { startProxy } from "../support/proxy.ts";
import { startScenario } from "../support/scenario.ts";

it("the number of parallel writes is limited", async () => {
  const scenario = await startScenario();
  await scenario.write(
    `links: { ${Array.from({ length: 12 }, (_, index) => `go.example.com/l${index}: { url: https://example.com/ }`).join(", ")} }`,
  );
  let held: (() => void)[] = [];
  let most = 0;
  const baseUrl = await startProxy(scenario.sandbox.url, async (method, path) => {
    if (method !== "POST" || path === "/turn") return "forward";
    const released = new Promise<void>((resolve) => held.push(resolve));
    most = Math.max(most, held.length);
    if (held.length === 3) {
      // The test sends a request of its own, so that a fourth write would arrive before it.
      await fetch(`${baseUrl}/turn`, { method: "POST" });
      for (const release of held) release();
      held = [];
    }
    await released;
    return { status: 403, body: '{"message":"No."}' };
  });
  await scenario.apply({ baseUrl, concurrency: 3 });
  expect(most).toBe(3);
});
