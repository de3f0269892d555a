// The README's picture of a comment: an SVG with a page in it.

import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { useBrowser } from "../support/browser.ts";
import { ROOT } from "../support/documents.ts";

const openWindow = useBrowser();

// Fails when the picture is not well-formed XML, shows nothing, cuts the comment off, or leaves a large part empty.
test("docs/comment.svg shows the whole comment", async () => {
  const { page, troubles } = await openWindow();
  await page.goto(pathToFileURL(path.join(ROOT, "docs/comment.svg")).href);
  const box = page.locator(".box");
  const shown = Number(await page.locator("svg").getAttribute("height"));
  const { y = 0, height = 0 } = (await box.boundingBox()) ?? {};
  const needed = y + height;
  expect(await box.textContent()).toContain("go.example.com/careers");
  expect(needed).toBeLessThanOrEqual(shown);
  expect(needed).toBeGreaterThan(shown - 120);
  expect(troubles).toEqual([]);
});
