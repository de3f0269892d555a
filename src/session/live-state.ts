// What was read of the account, as a state.

import type { LiveState } from "../domain/live.ts";

/** What was read, as a state; what was not is as if it were not there. */
export function stateOf(read: Partial<LiveState>, requests: number): LiveState {
  const size = { rows: 0, perPage: 1 };
  return {
    software: { version: "4.1", source: "assumed" },
    links: [],
    isWhole: false,
    domain: null,
    pixels: [],
    unreadable: [],
    domains: null,
    spaces: null,
    accountZone: null,
    sizes: { link: size, pixel: size },
    ...read,
    requests,
  };
}
