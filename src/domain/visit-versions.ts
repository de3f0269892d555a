// How versions of the service differ for visitors, one column each (versions.md 6; corners a).

/** What can keep a visitor from the destination. */
export type Gate = "expired" | "disabled" | "password";

/** The versions that differ for visitors; later ones are like the one before. */
export type Version = "4.1" | "4.9";

/** In which order each version checks them. */
export const GATE_ORDER: Readonly<Record<Version, readonly Gate[]>> = {
  "4.1": ["expired", "password", "disabled"],
  "4.9": ["disabled", "expired", "password"],
};

/** The oldest first, which is the one that the service's document describes. */
export const VERSIONS: readonly [Version, ...Version[]] = ["4.1", "4.9"];

/** The versions that a sentence is about, given the known version. */
export const VERSION_NAMES: Readonly<Record<Version, string>> = {
  "4.1": "Version 4.1",
  "4.9": "Version 4.9 and later",
};
