// Aliases and names that are the same to the service (docs/service.md, "Case and accents"), asked of the running sandbox.
import { expect, test } from "vitest";
import { DIFFERENT, SAME } from "../support/folding.ts";
import { start, type Started } from "./client.ts";

async function storeBoth(first: string, second: string): Promise<Started & { statuses: number[] }> {
  const started = await start();
  const store = async (alias: string): Promise<number> =>
    (await started.post("links", `url=https://example.com/&domain=2&alias=${alias}`)).status;
  return { ...started, statuses: [await store(first), await store(second)] };
}

// Fails if a pair counts as different: a client could then create what the service refuses as taken.
test.each(SAME)("%s and %s are one alias", async (first, second) => {
  expect((await storeBoth(first, second)).statuses).toEqual([201, 422]);
});

// Fails if a pair counts as equal: plain NFKD without marks does so for й, ї and ў.
test.each(DIFFERENT)("%s and %s are two aliases", async (first, second) => {
  expect((await storeBoth(first, second)).statuses).toEqual([201, 201]);
});

// Fails if aliases must be unique in the account and not only in the domain.
test("one alias can be taken once on every domain", async () => {
  const { post } = await storeBoth("sale", "sale");
  expect((await post("links", "url=https://example.com/&domain=3&alias=SALE")).status).toBe(201);
});

// Fails if a rename does not free the old alias, accepts a taken one, or is refused its own alias in another case.
test("a rename frees the old alias and respects the others", async () => {
  const { put } = await storeBoth("first", "second");
  expect((await put("links/1", "alias=SECOND")).status).toBe(422);
  expect((await put("links/1", "alias=FIRST")).status).toBe(200);
  expect((await put("links/1", "alias=third")).status).toBe(200);
  expect((await put("links/2", "alias=first")).status).toBe(200);
});

// Fails if pixel names are compared exactly, or if inner spaces are collapsed.
test("pixel names fold too, and keep their inner spaces", async () => {
  const { post, sandbox } = await start();
  const store = async (name: string): Promise<number> =>
    (await post("pixels", `name=${name}&type=bing&value=1`)).status;
  expect(await store(" Großer  Pixel ")).toBe(201);
  expect(await store("grosser  pixel")).toBe(422);
  expect(await store("grosser pixel")).toBe(201);
  expect(sandbox.state().pixels.map(({ name }) => name)).toEqual(["Großer  Pixel", "grosser pixel"]);
});
