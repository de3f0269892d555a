// The command that follows a short link without a visitor.

import { service, wholeNumber } from "./flags.ts";
import type { Tree } from "./run.ts";

/** Adds `explain`. */
export function addExplain({ program, runInterruptible }: Tree): void {
  service(
    program
      .command("explain")
      .description("show where a visitor of a short link is sent, and why, without visiting it")
      .argument("<link>", "a short URL, a key such as go.example.com/spring, or an alias")
      .optionsGroup("The visitor (default: everybody, now):")
      .option("--country <code>", "from this country, such as DE, or `other` for one that the link does not have")
      .option("--platform <name>", "on this platform, such as iOS, or `other`")
      .option("--language <code>", "with this language, such as de, or this Accept-Language header, or `other`")
      .option("--continent <code>", "from this continent, such as EU, or `other` (version 49)")
      .option("--browser <name>", "with this browser, such as Firefox, or `other` (version 49)")
      .option("--device <name>", "on this device, such as mobile, or `other` (version 49)")
      .option("--crawler", "a search engine, link preview or script that the service treats as a crawler")
      .option("--at <time>", "at this time: 2027-04-01T12:00 in the files' time zone, or with Z or +02:00 at the end")
      .option("--clicks <n>", "after this many clicks", wholeNumber(0))
      .optionsGroup("Source (default: the files, or the account if no file declares the link):")
      .option("--declared", "explain the link as the files declare it, without network or key")
      .option("--live", "explain the link as it is in the account")
      .option("--both", "explain the link as it is, and as it will be after an apply"),
  ).action((link, flags) =>
    runInterruptible(async (world) => (await import("../commands/explain.ts")).explain(world, link, flags)),
  );
}
