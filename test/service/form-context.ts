// What a form needs besides its fields: ids, time zones and secrets.

import type { Value } from "../../src/domain/value.ts";
import type { SendContext } from "../../src/service/form.ts";

export function contextIn(account: string | null, secrets: Readonly<Record<string, string>> = {}): SendContext {
  return {
    references: {
      domains: new Map([["go.example.com", 2]]),
      spaces: new Map([
        ["Marketing", 1],
        ["Sales & more", 2],
      ]),
      // By folded name.
      pixels: new Map([
        ["meta main", 1],
        ["ga4", 2],
        ["grosse", 3],
      ]),
    },
    zones: { files: "UTC", account },
    secret: (path) => secrets[path] ?? `no secret for ${path}`,
    current: () => undefined,
  };
}

export function fieldsOf(values: Readonly<Record<string, Value>>): { path: string; after: Value }[] {
  return Object.entries(values).map(([path, after]) => ({ path, after }));
}
