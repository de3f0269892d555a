// The user agents that browsers send, by what the service reads from them.
const chrome = (system: string, tail = ""): string =>
  `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0${tail} Safari/537.36`;

/** A browser on each platform. */
export const SAMPLE_AGENTS: Readonly<Record<string, string>> = {
  iOS: "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
  Android: chrome("Linux; Android 10; K", " Mobile"),
  Windows: chrome("Windows NT 10.0; Win64; x64"),
  "OS X": chrome("Macintosh; Intel Mac OS X 10_15_7"),
  Linux: chrome("X11; Linux x86_64"),
  Ubuntu: "Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
  "Chrome OS": chrome("X11; CrOS x86_64 14541.0.0"),
};

/** A browser on an unknown platform. */
export const OTHER_AGENT = "Mozilla/5.0 (X11; FreeBSD amd64; rv:140.0) Gecko/20100101 Firefox/140.0";
