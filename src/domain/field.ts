// The form of an entry of the field table. Behavior belongs to the kinds; an entry is data.

import type { RuleCode } from "./rules.ts";
import type { ByFirstVersion } from "./software.ts";
import type { Value } from "./value.ts";

/** How a version of the service sends and returns a field. */
export interface Wire {
  /** The form variable. */
  readonly sent: string;
  /** The key of the answer. */
  readonly returned: string;
  /** The parameter that filters a list of links by this field; null for fields without one. */
  readonly filter: string | null;
  /**
   * The codec: by the field's kind, or one that several fields share. `period` is a start and an end that only work together;
   * `targets` is one list of entries, which belongs to the active target group.
   */
  readonly form: "plain" | "period" | "targets";
}

/**
 * Marks a field whose default shows or revives what its live value hides. `set` hides if it differs from the default, `expired` if the
 * link has expired. If such a field is undeclared, it keeps its value.
 */
export interface Opens {
  readonly when: "set" | "expired";
  /** The value in a file that opens it. If its group is not declared, it opens the group. */
  readonly word: string;
  /** The closed state in words: "has a password". */
  readonly state: string;
}

export type Example = string | number | boolean | readonly string[] | { readonly [key: string]: Example };

interface SpecBase {
  /** Key path in the file, and the name in plans. */
  readonly path: string;
  /** What a version changes; null where it cannot express the field. */
  readonly wire: ByFirstVersion<Partial<Wire> | null>;
  readonly default: Value;
  /** Must be given on create and can never be cleared. */
  readonly required: boolean;
  readonly updatable: boolean;
  readonly opens: Opens | null;
  /** Visitors notice a change (docs/service.md, "What a visitor sees"). */
  readonly visitors: boolean;
  /** Its name for readers who do not know the files; null if the path is clear. */
  readonly called: string | null;
  /** Names of its column in spreadsheets, also in exports of other services, in addition to its path and `called`. */
  readonly columns: readonly string[];
  /** One sentence for schemas and docs. */
  readonly about: string;
  readonly example: Example;
}

/** The limits of the service are in docs/service.md, "Text and numbers". */
export type TextSpec = SpecBase & {
  readonly kind: "text";
  readonly longest: number;
  readonly pattern: RegExp;
  /** The pattern in words: "This must be …". */
  readonly shape: string;
  /** Visitors are sent there. */
  readonly isAddress: boolean;
  /** The usual form of its values, by the value of another field; null if there is none. */
  readonly forms: { readonly by: string; readonly of: Readonly<Record<string, ValueForm>> } | null;
};

/** The usual form of values, for advice only: the service accepts others. */
export interface ValueForm {
  readonly pattern: RegExp;
  readonly shape: string;
  readonly example: string;
  /** No other type has values of this form. */
  readonly isDistinct: boolean;
  /** A prefix that only its values have, in any case; null for none. */
  readonly prefix: string | null;
  /** It can run any script in the consent page. */
  readonly runsScripts: boolean;
  readonly others: readonly OtherId[];
}

/** An id of the same network, or a part of one, that is easily confused with the value. */
interface OtherId {
  readonly rule: RuleCode;
  /** Its first group is the correct value, if the text contains it. */
  readonly pattern: RegExp;
  readonly message: string;
  readonly instead: string;
}

export type SecretSpec = SpecBase & {
  readonly kind: "secret";
  /** In characters. */
  readonly longest: number;
  /** Texts that the service accepts and stores as no password. */
  readonly meansNone: readonly string[];
  /**
   * It takes effect only with this value of another field. The service refuses to clear it in one request with that value
   * (docs/service.md, "Clearing a field"), which takes two requests. `without` is the value that admits nobody.
   */
  readonly worksWith: { readonly path: string; readonly value: string; readonly without: string } | null;
};

export type FlagSpec = SpecBase & {
  readonly kind: "flag";
  readonly breaksUrl: boolean;
  /** The meaning of null in a response, for a flag that was never written; null if it has none. */
  readonly returnedNull: boolean | null;
};

export type CountSpec = SpecBase & { readonly kind: "count"; readonly most: number };

export type WordSpec = SpecBase & {
  readonly kind: "word";
  /** The words of files, and the values that each version sends and returns. A version has only the words of its last cell. */
  readonly words: ByFirstVersion<Readonly<Record<string, string | number>>>;
  /** Other spellings that files may use for a word. */
  readonly synonyms: Readonly<Record<string, string>>;
  /** The word that null in a response means; null if it has no meaning. */
  readonly returnedNull: string | null;
  /** A sentence for each word; null if the words are clear. */
  readonly meanings: Readonly<Record<string, string>> | null;
};

export type ReferencesSpec = SpecBase & { readonly kind: "references"; readonly to: "pixel" };
export type ReferenceSpec = SpecBase & { readonly kind: "reference"; readonly to: "domain" | "space" };

/** A date and a time of day in the files, one instant when read, entered in the account's zone when written. */
export type InstantSpec = SpecBase & {
  readonly kind: "instant";
  readonly timePath: string;
  /** Names of a column of the time alone in spreadsheets, in addition to its path. */
  readonly timeColumns: readonly string[];
  /** The form variable of the time of day, in versions that have one. */
  readonly sentTime: string | null;
  readonly works: "before" | "after";
  /** The time of a date without a time. */
  readonly timeDefault: string;
  /** The range that the service can store (docs/service.md, "Dates and time zones"). */
  readonly from: string;
  readonly before: string;
  /** In a `period`: the wall time that is sent for this end if only the other one is declared. Instants beyond `limit` mean none. */
  readonly unbounded: { readonly wallTime: string; readonly limit: string };
};

/** Destinations by a key of a fixed form. */
export type MapSpec = SpecBase & { readonly kind: "map"; readonly keys: KeyShape };

export interface KeyShape {
  readonly noun: string;
  readonly pattern: RegExp;
  readonly shape: string;
  /** Keys that editors propose. The pattern decides which are allowed. */
  readonly words: readonly string[];
  /** For advice. */
  readonly list: CodeList | null;
  /** What decides (docs/service.md, "Which target a visitor gets"). */
  readonly signal: string;
}

export interface CodeList {
  readonly standard: string;
  /** What the codes are names of, as `Intl.DisplayNames` calls it. */
  readonly type: "region" | "language";
  readonly codes: ReadonlySet<string>;
  /** Common wrong codes, the correct one (null: none), and the reason. */
  readonly meant: Readonly<Record<string, { readonly code: string | null; readonly because: string }>>;
  /** The rule for a code that is not in the standard. */
  readonly unknown: RuleCode;
  /** Codes in use that the service refuses. */
  readonly refused: { readonly codes: ReadonlySet<string>; readonly rule: RuleCode };
  /** Codes outside the standard that the service accepts. */
  readonly retired: ReadonlySet<string>;
  /** Codes that only some versions of the service accept, and which versions refuse them. */
  readonly refusedBy: Readonly<Record<string, string>>;
}

export type ListSpec = SpecBase & { readonly kind: "list" };

export type FieldSpec =
  | TextSpec
  | SecretSpec
  | FlagSpec
  | CountSpec
  | WordSpec
  | ReferenceSpec
  | ReferencesSpec
  | InstantSpec
  | MapSpec
  | ListSpec;

/** A field with the codec of its kind, under these names. */
export function named(sent: string, returned: string = sent, filter: string | null = null): Wire {
  return { sent, returned, filter, form: "plain" };
}

export const OPTIONAL = {
  required: false,
  updatable: true,
  opens: null,
  visitors: false,
  called: null,
  columns: [],
} as const;

export const REQUIRED = { ...OPTIONAL, required: true, default: null } as const;
