// The keys of target groups that are short lists of names.

/** The documented platforms, in their exact case (docs/service.md, "Resources"). */
export const PLATFORMS = ["iOS", "Android", "Windows", "OS X", "Linux", "Ubuntu", "Chrome OS"] as const;

/** Other names for them, in lower case. */
export const PLATFORMS_MEANT: Readonly<Record<string, (typeof PLATFORMS)[number]>> = {
  ...Object.fromEntries(["mac", "macos", "osx", "os-x", "macintosh", "mac os x"].map((text) => [text, "OS X"])),
  ...Object.fromEntries(["iphone", "ipad", "ipados"].map((text) => [text, "iOS"])),
  ...Object.fromEntries(["chromeos", "chrome-os", "chromebook", "cros"].map((text) => [text, "Chrome OS"])),
  win: "Windows",
};

/** The continents of version 49, by their two-letter codes. */
export const CONTINENTS = ["AF", "AN", "AS", "EU", "NA", "OC", "SA"] as const;

export const CONTINENTS_MEANT: Readonly<Record<string, (typeof CONTINENTS)[number]>> = {
  africa: "AF",
  antarctica: "AN",
  asia: "AS",
  europe: "EU",
  "north america": "NA",
  oceania: "OC",
  australia: "OC",
  "south america": "SA",
};

/** The devices of version 49. Its documentation writes them with a capital letter, which it refuses. */
export const DEVICES = ["desktop", "mobile", "tablet", "watch", "television"] as const;

export const DEVICES_MEANT: Readonly<Record<string, (typeof DEVICES)[number]>> = {
  computer: "desktop",
  phone: "mobile",
  smartphone: "mobile",
  tv: "television",
  smartwatch: "watch",
};

/**
 * Browsers that version 49 recognizes. The list is not known to be complete, so others may be declared, and the service decides.
 * It spells one of them `Maxtho`.
 */
export const BROWSERS = [
  "Chrome",
  "Chromium",
  "Firefox",
  "Firefox Mobile",
  "Edge",
  "Internet Explorer",
  "Mobile Internet Explorer",
  "Vivaldi",
  "Brave",
  "Safari",
  "Opera",
  "Opera Mini",
  "Opera Mobile",
  "Opera Touch",
  "Yandex Browser",
  "UC Browser",
  "Samsung Internet",
  "QQ Browser",
  "BlackBerry Browser",
  "Maxtho",
] as const;

/** The one name that the service is known to refuse. */
export const BROWSERS_MEANT: Readonly<Record<string, (typeof BROWSERS)[number]>> = { maxthon: "Maxtho" };
