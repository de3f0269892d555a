// The platforms that a link can have a destination for.

/** The platforms that interface.md 2.1 allows, in its case. */
export const PLATFORMS = ["iOS", "Android", "Windows", "OS X", "Linux", "Ubuntu", "Chrome OS"] as const;

/** What people call them otherwise, in small letters. */
export const PLATFORMS_MEANT: Readonly<Record<string, (typeof PLATFORMS)[number]>> = {
  ...Object.fromEntries(["mac", "macos", "osx", "os-x", "macintosh", "mac os x"].map((text) => [text, "OS X"])),
  ...Object.fromEntries(["iphone", "ipad", "ipados"].map((text) => [text, "iOS"])),
  ...Object.fromEntries(["chromeos", "chrome-os", "chromebook", "cros"].map((text) => [text, "Chrome OS"])),
  win: "Windows",
};
