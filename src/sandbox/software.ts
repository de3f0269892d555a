// The versions of the service that the sandbox imitates.

export const SOFTWARE = ["4.1", "4.9", "44", "49"] as const;

/** The version of the service that the sandbox imitates. */
export type Software = (typeof SOFTWARE)[number];

/** Whether `software` is `first` or a later version. A new version behaves like the one before it. */
export function isSince(software: Software, first: Software): boolean {
  return SOFTWARE.indexOf(software) >= SOFTWARE.indexOf(first);
}
