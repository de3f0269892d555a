// `linkform pull` with keys or filters. Fails if an unselected block changes its meaning because it uses a pixel of a selected one, or if a key is unknown after its block was removed or renamed.

import { describe, expect, it } from "vitest";
import type { SeedState } from "../../src/sandbox/index.ts";
import { beginPulling, link, type Pulling } from "../support/pulling.ts";

async function begin(
  text: string,
  seed: SeedState,
): Promise<Pulling & { readonly after: () => Promise<string | undefined> }> {
  const begun = await beginPulling({ "links/a.yaml": text }, seed);
  return { ...begun, after: () => begun.text("links/a.yaml") };
}

describe("unselected blocks", () => {
  it("that use a pixel with a new name: nothing is written", async () => {
    const text =
      'pixels:\n  Neu: { type: facebook, value: "1234567890123456", renamed_from: Alt }\n' +
      "links:\n  go.example.com/b: { url: https://example.com/b, pixels: [Neu] }\n";
    const { pull, after } = await begin(text, {
      pixels: [{ id: 1, name: "Alt", type: "facebook", value: "1234567890123456" }],
      links: [link("b", { pixels: [1] })],
    });
    const { exit, err } = await pull({}, "pixel:Alt");
    expect(exit).toBe(1);
    expect(err).toContain("`go.example.com/b` uses a pixel that this pull renames or removes: `Neu`.");
    expect(await after()).toBe(text);
    expect((await pull({ quiet: true }, "pixel:Alt", "go.example.com/b")).exit).toBe(0);
    expect(await after()).toBe(text.replace(", renamed_from: Alt", "").replaceAll("Neu", "Alt"));
  });
});

describe("a key", () => {
  it("of a link that is no longer live: only its block is removed", async () => {
    const text = "links:\n  go.example.com/a: { url: https://example.com/a }\n";
    const { pull, after } = await begin(`${text}  go.example.com/b: { url: https://example.com/b }\n`, { links: [] });
    const { exit, out } = await pull({}, "go.example.com/b");
    expect({ exit, out }).toMatchObject({ exit: 0, out: expect.stringContaining("it is no longer live") });
    expect(await after()).toBe(text);
  });

  it("of a rename that was not applied: the block gets its old key", async () => {
    const text = "links:\n  go.example.com/new: { url: https://example.com/other, renamed_from: old } # here\n";
    const { converge, after } = await begin(text, { links: [link("old"), link("x")] });
    await converge({}, "go.example.com/new");
    expect(await after()).toBe("links:\n  go.example.com/old: { url: https://example.com/old } # here\n");
  });

  it("that is ambiguous is an error that lists each match once", async () => {
    const text =
      "links:\n  go.example.com/a: { url: https://example.com/a }\n  promo.example.com/a: { url: https://example.com/a }\n";
    const { pull } = await begin(text, { links: [link("a"), link("a", { domain: 3 })] });
    const { exit, err } = await pull({}, "a");
    expect(exit).toBe(1);
    expect(err).toContain("`a` matches the link go.example.com/a and the link promo.example.com/a.");
  });
});
