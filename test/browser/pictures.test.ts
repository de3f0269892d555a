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
  const { shown, needed, text } = await page.evaluate(() => {
    const box = document.querySelector(".box");
    const height = Number(document.documentElement.getAttribute("height"));
    return { shown: height, needed: box?.getBoundingClientRect().bottom ?? 0, text: box?.textContent ?? "" };
  });
  expect(text).toContain("go.example.com/careers");
  expect(needed).toBeLessThanOrEqual(shown);
  expect(needed).toBeGreaterThan(shown - 120);
  expect(troubles).toEqual([]);
});
