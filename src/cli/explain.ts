// The command that follows a short link without a visitor.

import { service, wholeNumber } from "./flags.ts";
import type { Tree } from "./run.ts";

/** Adds `explain`. */
export function addExplain({ program, runInterruptible }: Tree): void {
  service(
    program
      .command("explain")
      .description("where would a visitor of a short link be sent, and why; it visits nothing")
      .argument("<link>", "a short URL, a key such as go.example.com/spring, or an alias")
      .optionsGroup("The visitor (default: everybody, now):")
      .option("--country <code>", "from this country, such as DE; `other` is one that the link does not name")
      .option("--platform <name>", "on this platform, such as iOS, or `other`")
      .option("--language <code>", "with this language, such as de, this Accept-Language header, or `other`")
      .option("--continent <code>", "from this continent, such as EU, or `other`")
      .option("--browser <name>", "with this browser, such as Firefox, or `other`")
      .option("--device <name>", "on this device, such as mobile, or `other`")
      .option("--crawler", "a search engine, link preview or script that the service treats as a crawler")
      .option("--at <time>", "then: 2027-04-01T12:00 in the files' time zone, or with a distance from UTC behind it")
      .option("--clicks <n>", "after so many clicks", wholeNumber(0))
      .optionsGroup("Of what (default: the files, or the account where no file declares the link):")
      .option("--declared", "the link as the files declare it: no network, no key")
      .option("--live", "the link as it is in the account")
      .option("--both", "as the files will make it, beside what is live"),
  ).action((link, flags) =>
    runInterruptible(async (world) => (await import("../commands/explain.ts")).explain(world, link, flags)),
  );
}
