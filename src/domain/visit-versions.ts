// What visitors see in each version of the service, one column per version
// (docs/service-compatibility.md, "What visitors get"; docs/service.md, "What a visitor sees").

import { groupBy } from "./collections.ts";
import { SOFTWARE, type Software } from "./software.ts";

/** What can keep a visitor from the destination. */
export type Gate = "expired" | "disabled" | "password" | "warning";

export interface VisitRules {
  /** The gates in the order in which the version checks them. It has no others. */
  readonly gates: readonly Gate[];
  /** What a link's language keys are compared with. */
  readonly language: "first two letters" | "whole header";
  /** The same in words; null if it is what the field table says. */
  readonly languageSignal: string | null;
  /** Where people go if a rotation is active. */
  readonly rotation: "entries in turn" | "own destination";
  /** Target groups that nobody has seen a visitor of. */
  readonly unmeasured: readonly string[];
}

const SINCE_4_9: VisitRules = {
  gates: ["disabled", "expired", "password"],
  language: "first two letters",
  languageSignal: null,
  rotation: "entries in turn",
  unmeasured: [],
};

export const VISIT_RULES: Readonly<Record<Software, VisitRules>> = {
  "4.1": { ...SINCE_4_9, gates: ["expired", "password", "disabled"] },
  "4.9": SINCE_4_9,
  "44": SINCE_4_9,
  // Language and rotation are doubtful: this version was measured on the libraries of version 44.
  "49": {
    gates: ["expired", "password", "warning"],
    language: "whole header",
    languageSignal: "the visitor's whole `Accept-Language`",
    rotation: "own destination",
    unmeasured: ["continent"],
  },
};

/** `version 4.1`, `versions 4.9 and 44`. */
export function nameVersions(versions: readonly Software[]): string {
  return `version${versions.length === 1 ? "" : "s"} ${listed(versions)}`;
}

function listed(versions: readonly Software[]): string {
  const last = versions.at(-1) ?? "";
  return versions.length < 2 ? last : `${versions.slice(0, -1).join(", ")} and ${last}`;
}

const GATE_NAMES: Readonly<Record<Gate, string>> = {
  expired: "the expiration",
  disabled: "`disabled`",
  password: "the password",
  warning: "the warning page",
};

/** The order of the gates in every version, for a sentence. */
export function gateOrders(): string {
  const orders = groupBy(SOFTWARE, (version) => VISIT_RULES[version].gates.map((gate) => GATE_NAMES[gate]).join(", "));
  return [...orders].map(([order, versions]) => `${listed(versions)}: ${order}`).join("; ");
}
