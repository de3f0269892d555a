// A fault at one request of a run, known by what it asks for: side by side, requests come in another order each time.

import type { Asked, Fault, Strike } from "../support/layer.ts";

export interface Aim {
  readonly fault: Fault;
  /** From here on requests count: what came before was not of this run. */
  readonly begin: () => void;
}

/** Strikes the request that is this one among those of the same run without a fault. */
export function aimAt(target: Asked, requests: readonly Asked[], strike: Strike): Aim {
  let left = Infinity;
  const isSame = ({ method, url, body }: Asked): boolean =>
    method === target.method && url === target.url && body.equals(target.body);
  return {
    fault: {
      what: "strike",
      at: (asked) => {
        if (!isSame(asked)) return false;
        left -= 1;
        return left === 0;
      },
      strike,
    },
    begin: () => {
      left = 1 + requests.filter(isSame).indexOf(target);
    },
  };
}
