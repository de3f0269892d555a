// Whose is what: keys that fold, tombstones, renames, replacements, and everything that nobody declared.

import { describe, expect, it } from "vitest";
import type { SeedState } from "../../src/sandbox/index.ts";
import { OFFLINE, where } from "../support/sandbox.ts";
import { startScenario, startWith } from "../support/scenario.ts";

const link = (alias: string, more: object = {}): NonNullable<SeedState["links"]>[number] => ({
  url: "https://example.com/",
  domain: 2,
  alias,
  ...more,
});

const WITHIN = "links: { go.example.com/spring-sale: { url: https://example.com/, renamed_from: spring } }";
const ACROSS = "links: { promo.example.com/sale: { url: https://example.com/, renamed_from: go.example.com/sale } }";
const OLD = { name: "Old", type: "bing", value: "1234567" };
/** A link with the key that ACROSS gives the link that it moves. */
const THERE = link("sale", { domain: 3 });
const OTHER = { ...THERE, url: "https://example.com/other" };

describe("unmanaged objects", () => {
  it("are counted, listed on request, and never touched", async () => {
    const seed = {
      pixels: [{ name: "Theirs", type: "bing", value: "1234567" }],
      links: [link("theirs", { pixels: [1] }), link("mine")],
    };
    const scenario = await startWith("links: { go.example.com/mine: { url: https://example.com/new } }", seed);
    const shown = await scenario.plan({ showUnmanaged: true, verbose: true });
    expect(shown.out).toContain("2 live objects are not in the files.");
    expect(shown.out).toMatch(/^ {2}# id 1\n {2}Theirs:$[^]*^ {2}# id 1, 0 clicks\n {2}go\.example\.com\/theirs:$/m);
    const before = scenario.sandbox.state();
    await scenario.converge();
    const after = scenario.sandbox.state();
    expect(after.pixels).toEqual(before.pixels);
    expect(after.links[0]).toEqual(before.links[0]);
  });

  it("are not counted by a plan that could not be made: nobody knows yet which they are", async () => {
    const scenario = await startScenario({ seed: { links: [link("mine"), link("twice"), link("Twice")] } });
    await scenario.write(
      "links: { go.example.com/mine: { url: https://example.com/ }, go.example.com/twice: { url: https://example.com/ } }",
    );
    expect((await scenario.planDocument()).summary).toEqual({
      create: 0,
      update: 0,
      replace: 0,
      delete: 0,
      unchanged: 0,
      unmanaged: null,
      now_managed: null,
      origins: null,
    });
    expect((await scenario.plan({ showUnmanaged: true })).out).toBe("Nothing was planned.\n");
  });

  it("a removed declaration leaves the link alone: only a tombstone deletes", async () => {
    const scenario = await startScenario();
    await scenario.write(
      "links: { go.example.com/a: { url: https://example.com/ }, go.example.com/b: { url: https://example.com/ } }",
    );
    await scenario.converge();
    await scenario.write("links: { go.example.com/a: { url: https://example.com/ } }");
    expect((await scenario.planDocument()).summary).toMatchObject({ delete: 0, unmanaged: 1 });
    await scenario.write(
      "links: { go.example.com/a: { url: https://example.com/ } }\nabsent: { links: [go.example.com/b] }",
    );
    const { changes } = await scenario.converge();
    expect(changes).toMatchObject([
      { action: "delete", key: "go.example.com/b", breaks_url: true, reason: "tombstone" },
    ]);
    expect(scenario.sandbox.state().links.map(({ alias }) => alias)).toEqual(["a"]);
  });
});

describe("what is shown", () => {
  it("begins with what breaks a short URL: a link taken offline, a deletion; then what else visitors notice; then pixels, links, by key", async () => {
    const seed = { links: [link("shut"), link("zz-old"), link("b", { clicks: 1 })] };
    const scenario = await startScenario({ seed });
    await scenario.write(`pixels: { P: { type: bing, value: 1234567 } }
links:
  go.example.com/a: { url: https://example.com/ }
  go.example.com/b: { url: https://example.com/2 }
  go.example.com/shut: { url: https://example.com/, ${OFFLINE} }
absent: { links: [go.example.com/zz-old] }`);
    const { changes } = await scenario.converge();
    expect(changes.map(({ action, key, breaks_url }) => [action, key, breaks_url])).toEqual([
      ["update", "go.example.com/shut", true],
      ["delete", "go.example.com/zz-old", true],
      ["update", "go.example.com/b", false],
      ["create", "P", false],
      ["create", "go.example.com/a", false],
    ]);
  });

  it("of a date and its time is only what differs", async () => {
    const scenario = await startScenario({ seed: { links: [link("a", { ends_at: "2030-01-01T08:00:00.000Z" })] } });
    await scenario.write(
      'links: { go.example.com/a: { url: https://example.com/, expiration: { date: 2030-01-01, time: "09:30" } } }',
    );
    const { changes } = await scenario.converge();
    expect(changes[0]?.fields).toEqual([{ path: "expiration.time", before: "08:00", after: "09:30" }]);
  });

  it("of names that the service holds can't steer a terminal", async () => {
    const name = "evil\u001b[2J\u202ename";
    const scenario = await startWith("links: {}", { pixels: [{ name, type: "bing", value: "1234567" }] });
    const { out } = await scenario.plan({ showUnmanaged: true });
    expect(out).toContain('"evil\\e[2J\\u202ename":\n');
  });
});

describe("keys fold as the service folds", () => {
  it("an alias that is live in another case or with accents is the same link", async () => {
    const scenario = await startScenario({ seed: { links: [link("DüpMe", { clicks: 7 })] } });
    await scenario.write("links: { go.example.com/dupme: { url: https://example.com/ } }");
    const { changes } = await scenario.converge();
    expect(changes).toMatchObject([
      { action: "update", id: 1, key: "go.example.com/dupme", previous_key: "go.example.com/DüpMe", breaks_url: false },
    ]);
    expect(scenario.link("dupme")).toMatchObject({ id: 1, clicks: 7 });
  });

  it("the same alias on another domain is another link", async () => {
    const scenario = await startScenario({ seed: { links: [link("x", { domain: 3 })] } });
    await scenario.write("links: { go.example.com/x: { url: https://example.com/2 } }");
    expect((await scenario.planDocument()).summary).toMatchObject({ create: 1, unmanaged: 1 });
  });

  it("two live rows of one declared key are an error with both ids; a tombstone with an id is the cure", async () => {
    // Two stores that overlap can both succeed (docs/service.md, "Writing").
    const scenario = await startScenario({ seed: { links: [link("twice"), link("Twice")] } });
    await scenario.write("links: { go.example.com/twice: { url: https://example.com/ } }");
    const { exit, err } = await scenario.plan();
    expect(exit).toBe(1);
    expect(err).toContain("two-live-rows");
    expect(err).toContain("go.example.com/twice (id 1), go.example.com/Twice (id 2)");

    await scenario.write(
      "links: { go.example.com/twice: { url: https://example.com/ } }\nabsent: { links: { go.example.com/twice: { id: 2 } } }",
    );
    await scenario.converge();
    expect(scenario.sandbox.state().links.map(({ id }) => id)).toEqual([1]);
  });

  it.each<[string, string[], string, RegExp]>([
    [
      "a tombstone without an id does not choose between two rows",
      ["twice", "Twice"],
      "absent: { links: [go.example.com/twice] }",
      /two-live-rows/,
    ],
    [
      "a tombstone with the id of a declared key's only row would end what is declared",
      ["only"],
      "links: { go.example.com/only: { url: https://example.com/ } }\nabsent: { links: { go.example.com/only: { id: 1 } } }",
      /declared-and-absent\] .*id 1/,
    ],
    [
      "a rename does not choose between two rows",
      ["twice", "Twice"],
      "links: { go.example.com/once: { url: https://example.com/, renamed_from: twice } }",
      /two-live-rows\] .*\(id 1\).*\(id 2\)/,
    ],
  ])("%s: an error", async (_what, live, files, error) => {
    const scenario = await startWith(files, { links: live.map((alias) => link(alias)) });
    expect(await scenario.refused()).toMatch(error);
  });

  it("a tombstone with the id of another row deletes nothing", async () => {
    const scenario = await startScenario({ seed: { links: [link("kept"), link("old")] } });
    await scenario.write("absent: { links: { go.example.com/old: { id: 1 } } }");
    expect((await scenario.planDocument()).changes).toEqual([]);
  });
});

describe("a rename", () => {
  it("within a domain keeps the row, its id and its clicks, and says that the old address ends", async () => {
    const scenario = await startWith(WITHIN, { links: [link("spring", { clicks: 4000 })] });
    const text = await scenario.plan();
    expect(text.out).toContain("go.example.com/spring stops working. Its 4,000 clicks are kept.");
    const { changes } = await scenario.converge();
    expect(changes).toMatchObject([
      {
        action: "update",
        reason: "renamed",
        id: 1,
        previous_key: "go.example.com/spring",
        breaks_url: true,
        fields: [{ path: "alias", before: "spring", after: "spring-sale" }],
      },
    ]);
    expect(scenario.link("spring-sale")).toMatchObject({ id: 1, clicks: 4000 });
  });

  it.each<[string, ReturnType<typeof link>[], string, string, string]>([
    ["that is done", [link("spring-sale")], WITHIN, "rename-done", "info"],
    ["onto a key that is live already", [link("spring"), link("spring-sale")], WITHIN, "rename-blocked", "warning"],
    // Whoever takes the key of a move that was made long ago would lose his link.
    ["to another domain, whose old key is taken", [THERE, link("sale")], ACROSS, "rename-blocked", "warning"],
    // One of two links would be deleted, and nobody was asked which.
    ["to another domain from two links", [link("sale"), link("SALE"), THERE], ACROSS, "rename-blocked", "warning"],
  ])("%s changes nothing", async (_what, links, files, code, severity) => {
    const scenario = await startWith(files, { links });
    const { changes, diagnostics } = await scenario.planDocument();
    expect(changes).toEqual([]);
    expect(diagnostics).toMatchObject([{ code, severity }]);
  });

  // Fails when a replacement that was stopped between its two halves can't be finished: the old link would stay for good.
  it("to another domain that was stopped halfway is finished: the old link is deleted", async () => {
    const scenario = await startWith(
      "links:\n  promo.example.com/sale:\n    url: https://example.com/\n    renamed_from: go.example.com/sale\n",
      { links: [link("sale", { clicks: 12 }), THERE] },
    );
    const planned = await scenario.planDocument();
    expect(planned.changes).toMatchObject([
      { action: "delete", key: "go.example.com/sale", id: 1, reason: "moved", breaks_url: true, source: { line: 8 } },
    ]);
    await scenario.converge();
    expect(scenario.sandbox.state().links.map(({ id }) => id)).toEqual([2]);
  });

  // Fails when a link is deleted because another one of another destination has the new key: that one is somebody's; and
  // when that one is given the destination, for then the next plan takes it for the replacement, and deletes the old one.
  it("to another domain where another link is live is an error, and its hint leads on", async () => {
    const scenario = await startWith(ACROSS, { links: [OTHER, link("sale")] });
    const planned = await scenario.planDocument();
    expect(planned.changes).toEqual([]);
    expect(planned.diagnostics).toMatchObject([{ code: "rename-blocked", severity: "error" }]);
    await scenario.write(
      "links: { promo.example.com/sale: { url: https://example.com/ } }\nabsent: { links: [go.example.com/sale] }",
    );
    expect((await scenario.converge()).changes).toMatchObject([{ action: "delete" }, { action: "update", id: 1 }]);
  });

  // Fails when the first apply makes the link with the new key look like one that was made to replace the old one: then the
  // second would delete that, and no plan would have said so.
  it("to another domain where a later link of another destination is live is for people to decide", async () => {
    const scenario = await startWith(ACROSS, { links: [link("sale"), OTHER] });
    expect(await scenario.refused()).toMatch(/rename-undecided\] .*\(id 1\).*\(id 2\)/);
  });

  it("of a row that is not there is a create", async () => {
    const scenario = await startScenario();
    await scenario.write(WITHIN);
    expect((await scenario.converge()).changes).toMatchObject([{ action: "create" }]);
  });

  it("of a pixel keeps its links, whose files use the new name", async () => {
    const seed = { pixels: [OLD], links: [link("a", { pixels: [1] }), link("theirs", { pixels: [1] })] };
    const scenario = await startScenario({ seed });
    await scenario.write(
      "pixels: { New: { type: bing, value: 1234567, renamed_from: Old } }\nlinks: { go.example.com/a: { url: https://example.com/, pixels: [New] } }",
    );
    const { changes } = await scenario.converge();
    expect(changes).toMatchObject([
      { kind: "pixel", action: "update", key: "New", previous_key: "Old", breaks_url: false },
    ]);
    expect(scenario.sandbox.state().links.map(({ pixels }) => pixels)).toEqual([[1], [1]]);
  });
});

describe("a replacement: a rename across domains", () => {
  it("makes the new link first, then deletes the old one, and says what is lost", async () => {
    const scenario = await startScenario({
      seed: { links: [link("sale", { clicks: 12, expiration_url: "https://example.com/over" })] },
    });
    await scenario.write(ACROSS);
    expect((await scenario.plan()).out).toContain("Its id and its 12 clicks are lost.");
    const { changes } = await scenario.converge();
    expect(changes).toMatchObject([
      { action: "replace", reason: "moved", id: 1, previous_key: "go.example.com/sale", breaks_url: true },
    ]);
    expect(changes[0]?.fields.map(({ path }) => path)).toEqual(["domain", "expiration.url"]);
    expect(scenario.sandbox.state().links).toMatchObject([{ id: 2, domain: 3, alias: "sale", expiration_url: null }]);
    expect(scenario.writes().map((line) => line.split(" ")[0])).toEqual(["POST", "DELETE", "DELETE"]);
  });

  it.each([
    { password: "x" },
    { privacy: 1 },
    ...where("disabled links", [{ disabled: 1 }]),
    { expiration_clicks: 1, clicks: 1 },
  ])("of a closed link is an error while the files are silent: %o", async (live) => {
    const scenario = await startWith(ACROSS, { links: [link("sale", live)] });
    expect(await scenario.refused()).toContain("replace-opens");
  });

  it("with `unspecified: keep` takes over what the files are silent about, but no password", async () => {
    const scenario = await startScenario({
      seed: { links: [link("sale", { privacy: 1, expiration_clicks: 9, space: 2 }), link("shut", { password: "x" })] },
    });
    await scenario.write(`unspecified: keep\n${ACROSS}`);
    await scenario.converge();
    expect(scenario.link("sale")).toMatchObject({ domain: 3, privacy: 1, expiration_clicks: 9, space: 2 });
    await scenario.write(
      "unspecified: keep\nlinks: { promo.example.com/shut: { url: https://example.com/, renamed_from: go.example.com/shut } }",
    );
    expect((await scenario.plan()).err).toContain("replace-secret");
  });

  it("without `renamed_from` is a create, and the old link stays", async () => {
    const scenario = await startScenario({ seed: { links: [link("sale")] } });
    await scenario.write("links: { promo.example.com/sale: { url: https://example.com/ } }");
    expect((await scenario.planDocument()).summary).toMatchObject({ create: 1, replace: 0, delete: 0, unmanaged: 1 });
  });
});

describe("a pixel", () => {
  it.each([
    ["any live link uses", "absent: { pixels: [Old] }"],
    [
      "a link keeps whose file is silent about pixels",
      "unspecified: keep\nlinks: { go.example.com/a: { url: https://example.com/new } }\nabsent: { pixels: [Old] }",
    ],
  ])("that %s is not deleted: the links are named", async (_what, files) => {
    const scenario = await startWith(files, { pixels: [OLD], links: [link("a", { pixels: [1] })] });
    expect(await scenario.refused()).toMatch(/pixel-in-use\] .*`go\.example\.com\/a`/);
  });

  it("is deleted after the links of the same plan have let go of it", async () => {
    const seed = { pixels: [OLD], links: [link("a", { pixels: [1] }), link("b", { pixels: [1] })] };
    const scenario = await startScenario({ seed });
    await scenario.write(
      "links: { go.example.com/a: { url: https://example.com/ } }\nabsent: { pixels: [Old], links: [go.example.com/b] }",
    );
    await scenario.converge();
    expect(scenario.sandbox.state().pixels).toEqual([]);
    expect(scenario.writes().map((line) => line.replace(/\/\d+.*/, "/"))).toEqual([
      "PUT /api/v1/links/",
      "DELETE /links/",
      "DELETE /api/v1/links/",
      "DELETE /index.php/pixels/",
      "DELETE /index.php/api/v1/pixels/",
    ]);
  });

  it("that is live and that no file declares can be used", async () => {
    const scenario = await startScenario({ seed: { pixels: [{ name: "Theirs", type: "bing", value: "1234567" }] } });
    await scenario.write("links: { go.example.com/a: { url: https://example.com/, pixels: [theirs] } }");
    await scenario.converge();
    expect(scenario.link("a").pixels).toEqual([1]);
  });

  it("that is neither declared nor live is an error at the line that names it", async () => {
    const scenario = await startScenario();
    await scenario.write(
      "pixels: { Main: { type: bing, value: 1234567 } }\nlinks:\n  go.example.com/a:\n    url: https://example.com/\n    pixels: [Nobody, Mian]\n",
    );
    const err = await scenario.refused();
    expect(err).toMatch(/^error\[unknown-pixel\] .*`Nobody`.*\n +--> linkform\.yaml:9:14\n/m);
    expect(err).toContain("Did you mean `Main`?");
  });
});
