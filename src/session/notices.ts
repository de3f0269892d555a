// What goes on between the requests, in words: why it takes longer, and for how long.

import type { Notice } from "../service/transport.ts";

/** One line. */
export function noticeText(notice: Notice): string {
  switch (notice.what) {
    case "wait":
      return notice.why === "limit"
        ? `The service asks to wait ${notice.seconds} s (rate limit).`
        : `The service does not answer: waiting ${notice.seconds.toFixed(1)} s.`;
    case "retry":
      return `${notice.because} Trying again in ${notice.seconds.toFixed(1)} s.`;
    case "reread":
      return `The list ${notice.path} changed while it was read (${notice.because}): reading it again.`;
    default:
      return notice satisfies never;
  }
}
