// Who created a record that is found after an uncertain store, and what a later refusal means (promise 6).

import { describe, expect, it } from "vitest";
import type { Answer } from "../support/proxy.ts";
import { wireForm } from "../support/sandbox.ts";
import { startScenario, startWith } from "../support/scenario.ts";
import { documentThrough, once, send, SERVER_ERROR, type Act } from "../support/through.ts";

const ONE = "links: { go.example.com/one: { url: https://example.com/ } }";
const isStore = (request: string): boolean => request === "POST /api/v1/links";
const isLook = (request: string): boolean => request.startsWith("GET ") && request.includes("search=");

function form(fields: Readonly<Record<string, string>>): string {
  const own = new URLSearchParams({ url: "https://example.com/", domain: "2", alias: "one", ...fields });
  return wireForm(own.toString());
}

function refusal(field: string, says: string): Answer {
  return { status: 422, body: JSON.stringify({ message: { [field]: [says] }, status: 422 }) };
}

/** Each store gets the next of these; later ones get the last. */
function storesGet(...acts: readonly ((body: string) => Answer | Promise<Answer>)[]): Act {
  let stores = 0;
  return (request, body) => {
    if (!isStore(request)) return "forward";
    const act = acts[Math.min(stores, acts.length - 1)];
    stores += 1;
    return act?.(body) ?? "forward";
  };
}

// Fails if a record on another domain is treated as the stored one. An alias is only unique in its domain.
it("the same alias on another domain is another link", async () => {
  const seed = { links: [{ url: "https://theirs.example/", domain: 3, alias: "one" }] };
  const scenario = await startWith(ONE, seed);
  const { exit, asked } = await documentThrough(
    scenario,
    once(/^POST/, () => SERVER_ERROR),
  );
  expect([exit, asked.filter(isStore).length]).toEqual([0, 2]);
  await scenario.converge();
});

// Fails if a record with all sent values counts as somebody else's because of the spelling of its alias.
it("a row with our url and another spelling of the alias is ours, and gets the spelling of the files", async () => {
  const scenario = await startWith(ONE);
  const { exit, asked } = await documentThrough(
    scenario,
    once(/^POST/, async () => {
      await send(scenario, "POST", "/api/v1/links", form({ alias: "ONE" }));
      return SERVER_ERROR;
    }),
  );
  expect([exit, asked.filter((request) => request.startsWith("PUT"))]).toEqual([0, ["PUT /api/v1/links/1"]]);
  expect(scenario.link("one").id).toBe(1);
  await scenario.converge();
});

// Fails if two uncertain stores are confused, or if one waits for the other.
it("two uncertain stores at the same time, one successful and one not", async () => {
  const scenario = await startScenario();
  await scenario.write(
    "links:\n  go.example.com/one: { url: https://example.com/ }\n  promo.example.com/one: { url: https://example.com/ }\n",
  );
  const { exit, asked } = await documentThrough(
    scenario,
    storesGet(
      async (body): Promise<Answer> => {
        await send(scenario, "POST", "/api/v1/links", body);
        return "drop";
      },
      () => "drop",
      () => "forward",
    ),
  );
  expect([exit, asked.filter(isStore).length]).toEqual([0, 3]);
  const domains = scenario.sandbox.state().links.map(({ domain }) => domain);
  expect(domains.toSorted((one, other) => one - other)).toEqual([2, 3]);
  await scenario.converge();
});

// Fails if only a part of the missing values of a partially saved record is sent.
it("everything that a partially saved row lacks is sent in one update", async () => {
  const scenario = await startScenario({ seed: { pixels: [{ id: 1, name: "Main", type: "bing", value: "1000001" }] } });
  await scenario.write(
    "links: { go.example.com/one: { url: https://example.com/, pixels: [Main], password: { env: LINKFORM_SECRET_A } } }",
  );
  const { exit, asked } = await documentThrough(
    scenario,
    once(/^POST/, async () => {
      await send(scenario, "POST", "/api/v1/links", form({}));
      return SERVER_ERROR;
    }),
  );
  expect([exit, asked.filter((request) => request.startsWith("PUT")).length]).toEqual([0, 1]);
  expect(scenario.link("one")).toMatchObject({ pixels: [1], password: "first secret" });
});

// Fails if values that no partial save explains are overwritten because the destination and the alias are the same.
it("a row with our url but other values than a partially saved row is somebody else's", async () => {
  const scenario = await startWith("links: { go.example.com/one: { url: https://example.com/, privacy: public } }");
  const { exit, document, asked } = await documentThrough(
    scenario,
    once(/^POST/, async () => {
      await send(scenario, "POST", "/api/v1/links", form({ privacy: "1" }));
      return SERVER_ERROR;
    }),
  );
  expect([exit, asked.filter((request) => request.startsWith("PUT"))]).toEqual([1, []]);
  expect(document.changes[0]?.error).toMatchObject({ code: "taken" });
});

describe("refused as taken after an uncertain store", () => {
  // Fails if a record that appeared late counts as somebody else's because its key is refused. Its own store caused the refusal.
  it("by our own row, which appeared late: adopted and completed", async () => {
    const scenario = await startWith("links: { go.example.com/one: { url: https://example.com/, space: Sales } }");
    const { exit, err, asked } = await documentThrough(
      scenario,
      storesGet(
        () => SERVER_ERROR,
        async (): Promise<Answer> => {
          await send(scenario, "POST", "/api/v1/links", form({}));
          return "forward";
        },
      ),
    );
    expect([exit, asked.filter(isStore).length]).toEqual([0, 2]);
    // Not only at the end, when changes that need this record would have been skipped.
    expect(err).not.toContain("✗");
    expect(scenario.link("one")).toMatchObject({ id: 1, space: 2 });
    await scenario.converge();
  });

  // Fails if a refused request is sent again, or if the message of the service is lost.
  it("by a row that cannot be found: final", async () => {
    const scenario = await startWith(ONE);
    const { document, asked } = await documentThrough(
      scenario,
      storesGet(
        () => SERVER_ERROR,
        () => refusal("alias", "The Alias has already been taken."),
      ),
    );
    expect(asked.filter(isStore)).toHaveLength(2);
    expect(document.changes[0]?.error).toMatchObject({
      code: "refused",
      message: "The service rejected alias: The Alias has already been taken.",
    });
  });
});

describe("refused without an uncertain store", () => {
  // Fails if every refusal makes linkform check for another record with the key: these requests would be wasted.
  it("for another field: nothing is looked up", async () => {
    const scenario = await startWith(ONE);
    const { exit, asked } = await documentThrough(
      scenario,
      storesGet(() => refusal("url", "You shortened too many links.")),
    );
    expect([exit, asked.filter(isStore).length, asked.filter(isLook)]).toEqual([1, 1, []]);
  });

  // Fails if the account counts as changed although no record has the key, or if a failed look-up hides the refusal.
  it.each<[string, Answer]>([
    ["and nobody has the key", "forward"],
    ["and the look-up fails as well", { status: 403, body: '{"message":"No.","status":403}' }],
  ])("for the alias, %s: the message of the service", async (_what, looked) => {
    const scenario = await startWith(ONE);
    const stored = storesGet(() => refusal("alias", "This alias is reserved."));
    const { exit, document } = await documentThrough(scenario, (request, body, abort) =>
      isLook(request) ? looked : stored(request, body, abort),
    );
    expect(exit).toBe(1);
    expect(document.changes[0]?.error).toMatchObject({
      code: "refused",
      message: "The service rejected alias: This alias is reserved.",
    });
  });
});

describe.each(["%", "_", "\\", "100%_\\"])("a pixel in doubt whose name has %s", (sign) => {
  // Fails if a wildcard in the search finds another pixel instead of this one, or hides it (docs/service.md, "Search and filters").
  it("is found, and no other instead", async () => {
    const names = [`a${sign}b`, "aXb", "a100b", "ab"];
    const others = names.slice(1).map((name, at) => ({ id: at + 1, name, type: "bing", value: "9" }));
    const scenario = await startScenario({ seed: { pixels: others } });
    await scenario.write(`pixels: { ${JSON.stringify(names[0])}: { type: bing, value: "1000001" } }`);
    const { exit, asked } = await documentThrough(
      scenario,
      once(/^POST/, async (body) => {
        expect(await send(scenario, "POST", "/api/v1/pixels", body)).toBe(201);
        return SERVER_ERROR;
      }),
    );
    expect([exit, asked.filter((request) => request.startsWith("POST")).length]).toEqual([0, 1]);
    expect(scenario.sandbox.state().pixels).toHaveLength(4);
    await scenario.converge();
  });
});
