// Texts that try to control a report.

import fc from "fast-check";

const PIECES = [
  ..."@everyone @octo/team GH-1 octo/repo#2 octo/repo@5d1c2a7 5d1c2a75d1c2a75d1c2a75d1c2a75d1c2a75d1c2".split(" "),
  ..."1234567 deadbeefcafe !12 ~bug %v1 $12 &7 :tada: $x^2$ $`x`$ [^1] [[wiki]]".split(" "),
  ..."[a](javascript:alert(1)) ![b](https://evil.example/x) <script>alert(1)</script> </details>".split(" "),
  ..."</code></td></table> --> <!-- https://evil.example/x www.evil.example someone@evil.example".split(" "),
  ..."mailto:a@b.example /close /merge ::error::x ##[add-mask]x --- *** ___ **b** ~~s~~ | ` `` ``` ~~~".split(" "),
  ..."&amp; &#64; é 春 👩‍👩‍👧 word".split(" "),
  "fixes #123",
  "<img src=x onerror=alert(1)>",
  "# h",
  "1. one",
  "- [ ] task",
  "> [!CAUTION]",
  "\\|",
  "\\",
  " ",
  "\n",
  "\r\n",
  "\t",
  "\u202e",
  "\u0000",
  "\u001b[2J",
  "\ud800",
  "\u{10fffe}",
] as const;

/** Any text, mostly of characters with a special meaning. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.array(fc.constantFrom(...PIECES), { maxLength: 6 }).map((pieces) => pieces.join("")) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 30 }) },
  { weight: 1, arbitrary: fc.string({ maxLength: 30 }) },
);
