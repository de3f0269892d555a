// Aliases and names that are the same to the service (docs/service.md, "Case and accents"), asked of the running sandbox.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Sandbox, startSandbox } from "../../src/sandbox/index.ts";
import { type Account, accountOf } from "./client.ts";
import { DIFFERENT, SAME } from "../support/folding.ts";

describe("folding", () => {
  let sandbox: Sandbox;
  let account: Account;
  beforeAll(async () => {
    sandbox = await startSandbox({ rateLimit: 0 });
    account = accountOf(sandbox);
  });
  afterAll(() => sandbox.close());

  const storeBoth = async (first: string, second: string): Promise<number[]> => {
    const before = sandbox.state().links;
    for (const link of before) await account.delete(`links/${link.id}`);
    const store = async (alias: string): Promise<number> =>
      (await account.post("links", `url=https://example.com/&domain=2&alias=${alias}`)).status;
    return [await store(first), await store(second)];
  };

  // Fails if a pair counts as different: a client could then create what the service refuses as taken.
  test.each(SAME)("%s and %s are one alias", async (first, second) => {
    expect(await storeBoth(first, second)).toEqual([201, 422]);
  });

  // Fails if a pair counts as equal: plain NFKD without marks does so for й, ї and ў.
  test.each(DIFFERENT)("%s and %s are two aliases", async (first, second) => {
    expect(await storeBoth(first, second)).toEqual([201, 201]);
  });

  // Fails if aliases must be unique in the account and not only in the domain.
  test("one alias can be taken once on every domain", async () => {
    await storeBoth("sale", "sale");
    expect((await account.post("links", "url=https://example.com/&domain=3&alias=SALE")).status).toBe(201);
  });

  // Fails if a rename does not free the old alias, accepts a taken one, or is refused its own alias in another case.
  test("a rename frees the old alias and respects the others", async () => {
    await storeBoth("first", "second");
    const [first, second] = sandbox.state().links.map(({ id }) => id);
    expect((await account.put(`links/${first}`, "alias=SECOND")).status).toBe(422);
    expect((await account.put(`links/${first}`, "alias=FIRST")).status).toBe(200);
    expect((await account.put(`links/${first}`, "alias=third")).status).toBe(200);
    expect((await account.put(`links/${second}`, "alias=first")).status).toBe(200);
  });

  // Fails if pixel names are compared exactly, or if inner spaces are collapsed.
  test("pixel names fold too, and keep their inner spaces", async () => {
    const store = async (name: string): Promise<number> =>
      (await account.post("pixels", `name=${name}&type=bing&value=1`)).status;
    expect(await store(" Großer  Pixel ")).toBe(201);
    expect(await store("grosser  pixel")).toBe(422);
    expect(await store("grosser pixel")).toBe(201);
    expect(sandbox.state().pixels.map(({ name }) => name)).toEqual(["Großer  Pixel", "grosser pixel"]);
  });
});
