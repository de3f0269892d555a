// The versions of the service's software, and values that change from one to the next.

/** The versions whose interfaces differ, the oldest first. The service's document describes the first one. */
export const SOFTWARE = ["4.1", "4.9", "44", "49"] as const;

export type Software = (typeof SOFTWARE)[number];

/** Cells by the version that introduced them. A version without a cell has that of the version before it. */
export type ByFirstVersion<Cell> = Readonly<Partial<Record<Software, Cell>>>;

/** The versions up to this one, the oldest first. */
export function upTo(software: Software): readonly Software[] {
  return SOFTWARE.slice(0, SOFTWARE.indexOf(software) + 1);
}

/** A declared version and its source, such as "linkform.yaml:2:30". */
export interface DeclaredSoftware {
  readonly version: Software;
  readonly from: string;
}

export interface DetectedSoftware {
  readonly version: Software;
  /** Detected from the responses, declared in the project file, or assumed: the documented version where no response shows one. */
  readonly source: "detected" | "declared" | "assumed";
}
