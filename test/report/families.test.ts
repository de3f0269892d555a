// Links of families in reports; in text they are in test/fixtures/plans/families. Fails if a comment or a page does not show a family on one
// line, or if the JSON document lacks the family of a change.

import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { startWith } from "../support/scenario.ts";
import type { PlanDocument } from "../../src/report/json/schema.ts";

it("a report has the family of each change", async () => {
  const scenario = await startWith(`defaults: { link: { domain: go.example.com } }
families:
  spring-{channel}-{region}:
    for: { channel: [mail, qr], region: [at, ch, de] }
    url: https://shop.example.com/{region}/spring?c={channel}
links: { zebra: { url: https://shop.example.com/alone } }
`);
  const formats = ["markdown", "html", "json"];
  await scenario.plan({ format: formats.map((one) => `${one}=report.${one}`) });
  const [markdown, html, json = ""] = await Promise.all(
    formats.map((one) => readFile(path.join(scenario.folder, `report.${one}`), "utf8")),
  );
  expect(markdown).toContain("**+** create **6 links** of family `spring-{channel}-{region}`");
  expect(html).toContain("<b>6 links</b> of family <code>spring-{channel}-{region}</code>");
  const { changes }: PlanDocument = JSON.parse(json);
  const families = new Map(changes.map(({ key, family }) => [key, family]));
  expect(families.get("go.example.com/zebra")).toBeUndefined();
  expect(families.get("go.example.com/spring-qr-de")).toEqual({
    pattern: "spring-{channel}-{region}",
    combination: { channel: "qr", region: "de" },
  });
});
