// A counter of requests in fixed windows, one for each client address or account.

export interface Hit {
  readonly allowed: boolean;
  readonly remaining: number;
  /** When the window ends, ms since the epoch. */
  readonly resetAt: number;
}

/**
 * A window opens with its first request; what is refused is not counted.
 * @param limit requests a window
 * @param window ms
 */
export function createLimiter(limit: number, window: number): (key: string, now: number) => Hit {
  const windows = new Map<string, { count: number; readonly resetAt: number }>();
  return (key, now) => {
    const current = windows.get(key);
    const open = current !== undefined && now < current.resetAt ? current : { count: 0, resetAt: now + window };
    windows.set(key, open);
    const allowed = open.count < limit;
    if (allowed) open.count++;
    return { allowed, remaining: limit - open.count, resetAt: open.resetAt };
  };
}
