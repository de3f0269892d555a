// Form bodies: what is written is what is read back, for all characters (docs/service.md, "Writing").

import { describe, expect, test } from "vitest";
import type { Value } from "../../src/domain/value.ts";
import { encodeForm } from "../../src/service/form.ts";
import { contextIn, fieldsOf } from "./form-context.ts";

describe("one field", () => {
  const encoded = (
    path: string,
    after: Value,
    context = contextIn("Europe/Berlin", { password: "a b&c" }),
  ): unknown => [
    ...new URLSearchParams(encodeForm(path === "name" ? "pixel" : "link", [{ path, after }], "4.1", context)),
  ];

  // Fails when a value is sent, or a field is cleared, in another form than docs/service.md, "Clearing a field" lists: most
  // other forms are a 500, a 422, or without effect.
  test.each<[string, Value, [string, string][]]>([
    ["url", "https://example.com/?a=1&b=ü", [["url", "https://example.com/?a=1&b=ü"]]],
    ["name", "Meta  main", [["name", "Meta  main"]]],
    ["domain", "go.example.com", [["domain", "2"]]],
    ["password", true, [["password", "a b&c"]]],
    ["password", false, [["password", ""]]],
    ["privacy_password", false, [["privacy_password", ""]]],
    ["disabled", true, [["disabled", "1"]]],
    ["disabled", false, [["disabled", "0"]]],
    ["privacy", "password", [["privacy", "2"]]],
    ["privacy", "public", [["privacy", "0"]]],
    // A word of a later version, as it was read.
    ["targeting.active", "none", [["target_type", "0"]]],
    ["space", "Sales & more", [["space", "2"]]],
    ["space", null, [["space", ""]]],
    [
      "pixels",
      ["GA4", "Große"],
      [
        ["pixels[]", "2"],
        ["pixels[]", "3"],
      ],
    ],
    ["pixels", [], [["pixels[]", ""]]],
    ["expiration.url", null, [["expiration_url", ""]]],
    ["expiration.clicks", 5, [["expiration_clicks", "5"]]],
    ["expiration.clicks", null, [["expiration_clicks", ""]]],
    [
      "expiration.date",
      "2027-03-31T21:59:00Z",
      [
        ["expiration_date", "2027-03-31"],
        ["expiration_time", "23:59"],
      ],
    ],
    [
      "expiration.date",
      null,
      [
        ["expiration_date", ""],
        ["expiration_time", ""],
      ],
    ],
    [
      "targeting.country",
      [
        ["DE", "d"],
        ["FR", "f"],
      ],
      [
        ["country[0][key]", "DE"],
        ["country[0][value]", "d"],
        ["country[1][key]", "FR"],
        ["country[1][value]", "f"],
      ],
    ],
    ...(["country", "platform", "language"] as const).map((targets): [string, Value, [string, string][]] => [
      `targeting.${targets}`,
      [],
      [
        [`${targets}[0][key]`, ""],
        [`${targets}[0][value]`, ""],
      ],
    ]),
    [
      "targeting.rotation",
      ["b", "a"],
      [
        ["rotation[0][value]", "b"],
        ["rotation[1][value]", "a"],
      ],
    ],
    ["targeting.rotation", [], [["rotation[0][value]", ""]]],
  ])("%s %j", (path, after, variables) => {
    expect(encoded(path, after)).toEqual(variables);
  });

  // Fails when something is sent that has no id or zone: `space=undefined` would be a refusal without a reason.
  test("a name without an id, or a date without a zone, is a mistake of ours", () => {
    expect(() => encoded("space", "Nowhere")).toThrow("no id is known for the space Nowhere");
    expect(() => encoded("pixels", ["Nothing"])).toThrow("no id is known for the pixel Nothing");
    expect(() => encoded("expiration.date", "2027-03-31T21:59:00Z", contextIn(null))).toThrow("without a zone");
  });

  test("only what was asked for is sent, in the order of the table", () => {
    const form = encodeForm("link", fieldsOf({ disabled: true, url: "u" }), "4.1", contextIn("UTC"));
    expect(form).toBe("url=u&disabled=1");
    expect(encodeForm("link", [], "4.1", contextIn("UTC"))).toBe("");
  });
});
