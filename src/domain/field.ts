// The form of an entry of the field table. Behavior belongs to the kinds; an entry is data.

import type { RuleCode } from "./rules.ts";
import type { Since } from "./software.ts";
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

/** What one version changes in a field's `Wire`; null where that version cannot express the field. */
type WireCell = Partial<Wire> | null;

/**
 * Marks a field whose default shows or revives what its live value hides: `set` hides as soon as
 * it differs from the default, `expired` once the link has expired. Silence leaves such a field as it is.
 */
export interface Opens {
  readonly when: "set" | "expired";
  /** The value that a person writes to open it. */
  readonly word: string;
  /** The whole line that a person writes. */
  readonly line: string;
  /** What a person calls the closed state: "has a password". */
  readonly state: string;
}

/** What a person could write for a field, as the file's words are read. */
export type Example = string | number | boolean | readonly string[] | { readonly [key: string]: Example };

interface SpecBase {
  /** Key path in the file, and the name in plans. */
  readonly path: string;
  readonly wire: Since<WireCell>;
  readonly default: Value;
  /** Must be given on create and can never be cleared. */
  readonly required: boolean;
  /** Whether the service changes it on update; one that is not stays for the life of the row. */
  readonly updatable: boolean;
  readonly opens: Opens | null;
  /** Whether visitors of the short URL see something else after it changes (docs/service.md, "What a visitor sees"). */
  readonly visitors: boolean;
  /** What people call it who read no files; null where the path says it. */
  readonly called: string | null;
  /** What spreadsheets call a column of it, those that other services export among them: beside its path and `called`. */
  readonly columns: readonly string[];
  /** One sentence for schemas and docs. */
  readonly about: string;
  readonly example: Example;
}

/** What a text must look like. The limits are the service's (docs/service.md, "Text and numbers"). */
export type TextSpec = SpecBase & {
  readonly kind: "text";
  readonly longest: number;
  readonly pattern: RegExp;
  /** The pattern in words: "This must be …". */
  readonly shape: string;
  /** Visitors are sent there. */
  readonly isAddress: boolean;
  /** What its values look like, by the word that another field has; null where they look like anything. */
  readonly forms: { readonly by: string; readonly of: Readonly<Record<string, ValueForm>> } | null;
};

/** What values look like that the service takes in other forms too: for advice. */
export interface ValueForm {
  readonly pattern: RegExp;
  /** The pattern in words. */
  readonly shape: string;
  readonly example: string;
  /** Nobody else's values look like this, so they show whose they are. */
  readonly isDistinct: boolean;
  /** What only its values begin with, in this case or another; null where they have no prefix. */
  readonly prefix: string | null;
  /** What the service refuses a value without, and the rule that says so. */
  readonly needs: { readonly text: string; readonly rule: RuleCode } | null;
  /** It lets people run any script in the page between. */
  readonly runsScripts: boolean;
  readonly others: readonly OtherId[];
}

/** Another id of the same network, taken for the value. */
export interface OtherId {
  readonly rule: RuleCode;
  /** Its first group is the value that was meant, where it holds that. */
  readonly pattern: RegExp;
  readonly message: string;
  /** What to write instead. */
  readonly instead: string;
}

export type SecretSpec = SpecBase & {
  readonly kind: "secret";
  /** Most characters the service takes. */
  readonly longest: number;
  /** Texts that the service accepts and stores as no password. */
  readonly meansNone: readonly string[];
  /**
   * It takes effect only with this value of another field; and clearing it is refused in one request with that value
   * (docs/service.md, "Clearing a field"), so that it takes two calls then. `without` is the value that admits nobody.
   */
  readonly worksWith: { readonly path: string; readonly value: string; readonly without: string } | null;
};

export type FlagSpec = SpecBase & {
  readonly kind: "flag";
  /** Whether setting it makes the short URL stop working. */
  readonly breaksUrl: boolean;
  /** What the service means by null: a flag that was never written; null where that has no meaning. */
  readonly returnedNull: boolean | null;
};

export type CountSpec = SpecBase & { readonly kind: "count"; readonly most: number };
export type WordSpec = SpecBase & {
  readonly kind: "word";
  /** The words of files, and what each version sends and returns for them. A version has only the words of its last cell. */
  readonly words: Since<Readonly<Record<string, string | number>>>;
  /** Other spellings that files may use for a word. */
  readonly synonyms: Readonly<Record<string, string>>;
  /** The word that the service means by null; null where that has no meaning. */
  readonly returnedNull: string | null;
  /** What each word says, in a sentence; null where the words say it themselves. */
  readonly meanings: Readonly<Record<string, string>> | null;
};

export type ReferenceSpec = SpecBase & { readonly kind: "reference"; readonly to: "domain" | "space" };
type ReferencesSpec = SpecBase & { readonly kind: "references"; readonly to: "pixel" };

/** A date and a time of day in the files, one instant when read, entered in the account's zone when written. */
export type InstantSpec = SpecBase & {
  readonly kind: "instant";
  readonly timePath: string;
  /** What spreadsheets call a column of the time alone, beside its path. */
  readonly timeColumns: readonly string[];
  /** The form variable of the time of day, in versions that take it apart from the date. */
  readonly sentTime: string | null;
  /** Whether the link works before this instant, or from it on. */
  readonly works: "before" | "after";
  /** Time of day that a date alone means. */
  readonly timeDefault: string;
  /** What the service can store: from the first instant on, before the last (docs/service.md, "Dates and time zones"). */
  readonly from: string;
  readonly before: string;
  /**
   * In a `period`: the wall time that is sent for this end where only the other one is declared. Instants beyond `limit` are read as
   * none.
   */
  readonly unbounded: { readonly wallTime: string; readonly limit: string };
};

/** Destinations by a key of a fixed form. */
export type MapSpec = SpecBase & {
  readonly kind: "map";
  readonly keys: KeyShape;
};

export interface KeyShape {
  /** What one key is called. */
  readonly noun: string;
  readonly pattern: RegExp;
  /** The pattern in words. */
  readonly shape: string;
  /** Keys that editors propose; the pattern says which ones may stand. */
  readonly words: readonly string[];
  /** What people write for one of the words, in small letters. */
  readonly meant: Readonly<Record<string, string>>;
  /** The codes that the keys are, of which the service takes others too: for advice. */
  readonly list: CodeList | null;
  /** What the service reads it from (docs/service.md, "Which target a visitor gets"), as in "it goes by …". */
  readonly signal: string;
  /** Whether the word that activates the group is documented (docs/service.md, "Resources"). */
  readonly isDocumented: boolean;
}

export interface CodeList {
  readonly standard: string;
  /** The codes of the standard. */
  readonly codes: ReadonlySet<string>;
  /** What people write for one of the codes, which one that is (null: none), and why. */
  readonly meant: Readonly<Record<string, { readonly code: string | null; readonly because: string }>>;
  /** The rule for a code that the service refuses and the standard does not have. */
  readonly unknown: RuleCode;
  /** Codes in use that the service refuses, and the rule that says so. */
  readonly refused: { readonly codes: ReadonlySet<string>; readonly rule: RuleCode };
  /** Codes that the service accepts although the standard does not have them. */
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

/** A field that goes by the codec of its kind, under these names. */
export function documented(sent: string, returned: string = sent, filter: string | null = null): Wire {
  return { sent, returned, filter, form: "plain" };
}

/** A field that may be left out and changed later. */
export const OPTIONAL = {
  required: false,
  updatable: true,
  opens: null,
  visitors: false,
  called: null,
  columns: [],
} as const;

/** A field that must be given, and can be changed but not cleared. */
export const REQUIRED = {
  required: true,
  updatable: true,
  opens: null,
  visitors: false,
  called: null,
  columns: [],
  default: null,
} as const;
