// The progress line. It contains no user text, so each character is one column wide.

/** A piece of work that takes many requests. */
export type Work =
  /** `again`: to verify the changes. `pages`: null if the service does not report the number. */
  | {
      readonly what: "list";
      readonly of: string;
      readonly page: number;
      readonly pages: number | null;
      readonly again: boolean;
    }
  | { readonly what: "look-up"; readonly done: number; readonly of: number }
  | { readonly what: "apply"; readonly done: number; readonly of: number; readonly underWay: number }
  | { readonly what: "verify"; readonly done: number; readonly of: number };

/** All requests wait. */
export interface Waiting {
  readonly why: "limit" | "outage";
  readonly seconds: number;
}

export interface ProgressDisplay {
  /** Null before the first answer. */
  readonly work: Work | null;
  readonly waiting: Waiting | null;
  /** An estimate; null if there is none. */
  readonly secondsLeft: number | null;
}

/** The line in at most `columns`: parts that do not fit are dropped from the end. */
export function progressText({ work, waiting, secondsLeft }: ProgressDisplay, columns: number): string {
  const doing = work === null ? "Connecting to the service" : workText(work);
  // The waiting part shows its own seconds already.
  const showsTimeLeft = secondsLeft !== null && secondsLeft >= (waiting?.seconds ?? 0) + MIN_SECONDS_SHOWN;
  const parts = [
    ...(waiting === null ? [doing] : [waitingText(waiting), `${doing.slice(0, 1).toLowerCase()}${doing.slice(1)}`]),
    ...(showsTimeLeft ? [`about ${roundedText(secondsLeft)} left`] : []),
  ];
  while (parts.length > 1 && widthOf(parts) >= columns) parts.pop();
  const text = parts.join(SEPARATOR);
  // Text in the last column wraps, and `…` can be two columns wide.
  return widthOf(parts) < columns ? text : `${text.slice(0, Math.max(columns - 3, 0))}…`;
}

const SEPARATOR = " · ";

/** On some terminals the separator is two columns wide. */
function widthOf(parts: readonly string[]): number {
  return parts.join(SEPARATOR).length + parts.length - 1;
}

const MIN_SECONDS_SHOWN = 10;

function workText(work: Work): string {
  switch (work.what) {
    case "list":
      return `Reading ${work.of}${work.again ? " again" : ""}: page ${work.page}${work.pages === null ? "" : ` of ${work.pages}`}`;
    case "look-up":
      return `Looking up links: ${work.done} of ${work.of}`;
    case "apply":
      return `Applying: ${work.done} of ${work.of}${work.underWay === 0 ? "" : `, ${work.underWay} in progress`}`;
    case "verify":
      return `Verifying: ${work.done} of ${work.of}`;
    default:
      return work satisfies never;
  }
}

function waitingText({ why, seconds }: Waiting): string {
  const left = `${Math.ceil(seconds)} s`;
  return why === "limit" ? `Waiting for the rate limit: ${left}` : `The service does not respond: retrying in ${left}`;
}

/** Rounded, because it is an estimate. */
function roundedText(seconds: number): string {
  return seconds < 90 ? `${Math.ceil(seconds / 10) * 10} s` : `${Math.round(seconds / 60)} min`;
}
