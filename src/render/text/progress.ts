// What is under way, in one line that fits: nothing of the files or the account stands in it, so each sign is one column wide.

/** A piece of work that takes many requests. */
export type Work =
  /** `again`: after the changes, to see what has become of them. `pages`: null where the service does not say. */
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

/** Everybody waits, for so many seconds more. */
export interface Waiting {
  readonly why: "limit" | "outage";
  readonly seconds: number;
}

export interface Progress {
  /** Null before the first answer. */
  readonly work: Work | null;
  readonly waiting: Waiting | null;
  /** About how many seconds all of it still takes; null where nobody can say. */
  readonly secondsLeft: number | null;
}

/** The line, in at most so many columns: what does not fit is left out, from the end. */
export function progressText({ work, waiting, secondsLeft }: Progress, columns: number): string {
  const doing = work === null ? "Asking the service" : workText(work);
  // Of a wait alone it is said already.
  const showsTimeLeft = secondsLeft !== null && secondsLeft >= (waiting?.seconds ?? 0) + MIN_SECONDS_SHOWN;
  const parts = [
    ...(waiting === null ? [doing] : [waitingText(waiting), `${doing.slice(0, 1).toLowerCase()}${doing.slice(1)}`]),
    ...(showsTimeLeft ? [`about ${roundedText(secondsLeft)} left`] : []),
  ];
  while (parts.length > 1 && widthOf(parts) >= columns) parts.pop();
  const text = parts.join(SEPARATOR);
  // The last column wraps, and the sign that cuts may take two.
  return widthOf(parts) < columns ? text : `${text.slice(0, Math.max(columns - 3, 0))}…`;
}

const SEPARATOR = " · ";

/** Columns, if the sign between two parts takes two: on some terminals it does. */
function widthOf(parts: readonly string[]): number {
  return parts.join(SEPARATOR).length + parts.length - 1;
}

/** Seconds. */
const MIN_SECONDS_SHOWN = 10;

function workText(work: Work): string {
  switch (work.what) {
    case "list":
      return `Reading ${work.of}${work.again ? " again" : ""}: page ${work.page}${work.pages === null ? "" : ` of ${work.pages}`}`;
    case "look-up":
      return `Looking up links: ${work.done} of ${work.of}`;
    case "apply":
      return `Applying: ${work.done} of ${work.of}${work.underWay === 0 ? "" : `, ${work.underWay} under way`}`;
    case "verify":
      return `Reading again what was touched: ${work.done} of ${work.of}`;
    default:
      return work satisfies never;
  }
}

function waitingText({ why, seconds }: Waiting): string {
  const left = `${Math.ceil(seconds)} s`;
  return why === "limit"
    ? `Waiting for the rate limit: ${left}`
    : `The service does not answer: trying again in ${left}`;
}

/** Tens of seconds, or minutes: nobody knows it better. */
function roundedText(seconds: number): string {
  return seconds < 90 ? `${Math.ceil(seconds / 10) * 10} s` : `${Math.round(seconds / 60)} min`;
}
