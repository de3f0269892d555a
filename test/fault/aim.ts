// A fault at one request of a run. The request is identified by its content, because the order of parallel requests varies.

import type { Asked, Fault, Strike } from "../support/layer.ts";

export interface Aim {
  readonly fault: Fault;
  /** Starts the count: earlier requests are not part of this run. */
  readonly begin: () => void;
}

/** Hits the request that corresponds to this one in a run without a fault. */
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
