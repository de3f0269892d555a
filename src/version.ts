// linkform's version; the build puts package.json's in here.

declare const LINKFORM_VERSION: string | undefined;

export const VERSION: string = typeof LINKFORM_VERSION === "string" ? LINKFORM_VERSION : "0.0.0-source";
