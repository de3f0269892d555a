// What is left out of a form, or can't be sent. Every field: form.property.long.test.ts and test/contract/client.test.ts.

import { describe, expect, test } from "vitest";
import type { Value } from "../../src/domain/value.ts";
import { encodeForm } from "../../src/service/form.ts";
import { contextIn, fieldsOf } from "./form-context.ts";

describe("one field", () => {
  const encoded = (path: string, after: Value, zone: string | null = "Europe/Berlin"): string =>
    encodeForm("link", [{ path, after }], "4.1", contextIn(zone));

  // Fails when something is sent that has no id or zone: `space=undefined` would be a refusal without a reason.
  test("a name without an id, or a date without a zone, is a mistake of ours", () => {
    expect(() => encoded("space", "Nowhere")).toThrow("no id is known for the space Nowhere");
    expect(() => encoded("pixels", ["Nothing"])).toThrow("no id is known for the pixel Nothing");
    expect(() => encoded("expiration.date", "2027-03-31T21:59:00Z", null)).toThrow("without a zone");
  });

  test("only what was asked for is sent, in the order of the table", () => {
    const form = encodeForm("link", fieldsOf({ disabled: true, url: "u" }), "4.1", contextIn("UTC"));
    expect(form).toBe("url=u&disabled=1");
    expect(encodeForm("link", [], "4.1", contextIn("UTC"))).toBe("");
  });
});
