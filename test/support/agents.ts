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

/** A browser of each name, all on a desktop but the last. */
export const SAMPLE_BROWSERS: Readonly<Record<string, string>> = {
  Chrome: chrome("Windows NT 10.0; Win64; x64"),
  Edge: `${chrome("Windows NT 10.0; Win64; x64")} Edg/140.0.0.0`,
  Firefox: "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0",
  Opera: `${chrome("Windows NT 10.0; Win64; x64")} OPR/124.0.0.0`,
  Safari:
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15",
  "Samsung Internet": `Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
};

/** A browser on each device. */
export const SAMPLE_DEVICES: Readonly<Record<string, string>> = {
  desktop: chrome("Windows NT 10.0; Win64; x64"),
  mobile: chrome("Linux; Android 10; K", " Mobile"),
  tablet: chrome("Linux; Android 10; K"),
  television: chrome("Web0S; Linux/SmartTV"),
  watch: "Mozilla/5.0 (Linux; Tizen 5.5; Watch) AppleWebKit/537.36 (KHTML, like Gecko) Version/5.0 Safari/537.36",
};
