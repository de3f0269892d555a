// Whose a row is that is found where a store is in doubt, and what a refusal after the doubt means (promise 6).

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

/** Each store gets the next of these, the last one for ever. */
function storesGet(...acts: readonly ((body: string) => Answer | Promise<Answer>)[]): Act {
  let stores = 0;
  return (request, body) => {
    if (!isStore(request)) return "forward";
    const act = acts[Math.min(stores, acts.length - 1)];
    stores += 1;
    return act?.(body) ?? "forward";
  };
}

// Fails when a row on another domain is taken for the one that was sent: an alias is unique in its domain only.
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

// Fails when the spelling of the alias makes a row somebody else's, which has all that was sent.
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

// Fails when one store in doubt is taken for another, or waits until the other is settled.
it("two in doubt at the same time, one made and one not", async () => {
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

// Fails when only a part of what a half-saved row lacks is sent.
it("everything that a half-saved row lacks is sent in one update", async () => {
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

// Fails when values that no half-saved row has are overwritten, because the destination and the alias are the same.
it("a row with our url and other values than a half-saved row is somebody else's", async () => {
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

describe("refused as taken after doubt", () => {
  // Fails when the row that came late is somebody else's because its key is refused: it is what made it so.
  it("by our own row, which came late: taken over and completed", async () => {
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
    // Not only at the end: what needs this row would have been skipped.
    expect(err).not.toContain("✗");
    expect(scenario.link("one")).toMatchObject({ id: 1, space: 2 });
    await scenario.converge();
  });

  // Fails when what was refused is sent again, or the service's words are lost.
  it("by a row that can't be found: final", async () => {
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

describe("refused without doubt", () => {
  // Fails when any refusal makes linkform look whether somebody else has the key: requests for nothing.
  it("for another field: nobody is looked for", async () => {
    const scenario = await startWith(ONE);
    const { exit, asked } = await documentThrough(
      scenario,
      storesGet(() => refusal("url", "You shortened too many links.")),
    );
    expect([exit, asked.filter(isStore).length, asked.filter(isLook)]).toEqual([1, 1, []]);
  });

  // Fails when the account counts as changed although nobody has the key, or the refusal is hidden by a failed look-up.
  it.each<[string, Answer]>([
    ["and nobody has the key", "forward"],
    ["and the look-up fails as well", { status: 403, body: '{"message":"No.","status":403}' }],
  ])("for the alias, %s: the service's own words", async (_what, looked) => {
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
  // Fails when a wildcard of the search makes another pixel look like this one, or hides it (docs/service.md, "Search and
  // filters").
  it("is found, and no other in its place", async () => {
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
