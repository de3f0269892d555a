// Texts that try to control a report, in each of its formats.

import fc from "fast-check";
import { visible } from "../../src/domain/control-characters.ts";
import { character } from "./states.ts";

const PIECES = [
  ..."@everyone @octo/team GH-1 octo/repo#2 octo/repo@5d1c2a7 5d1c2a75d1c2a75d1c2a75d1c2a75d1c2a75d1c2".split(" "),
  ..."1234567 deadbeefcafe !12 ~bug %v1 $12 &7 :tada: $x^2$ $`x`$ [^1] [[wiki]]".split(" "),
  ..."[a](javascript:alert(1)) ![b](https://evil.example/x) <script>alert(1)</script> </details>".split(" "),
  ..."</code></td></table> --> <!-- https://evil.example/x www.evil.example someone@evil.example".split(" "),
  ..."mailto:a@b.example /close /merge ::error::x ##[add-mask]x --- *** ___ **b** ~~s~~ | ` `` ``` ~~~".split(" "),
  ..."&amp; &#64; &lt; é 春 👩‍👩‍👧 word {{7*7}} ${1} ]]> </script> </style> <template><td>".split(" "),
  ..."::set-output name=a::b¦::add-mask::x¦::stop-commands::t¦::¦##[¦]¦%0A¦%0D¦%25¦%3A¦%¦,line=99¦,¦=¦;¦file=x¦title=y".split(
    "¦",
  ),
  `"'><svg onload=alert(1)>`,
  "' onfocus='alert(1)' autofocus='",
  "javascript:alert(1)",
  "https://a.example.com/?x=<b>&y='z",
  "<a href=javascript:alert(1)>",
  "<base href=//evil.example>",
  "<meta http-equiv=refresh content=0>",
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
  "\r",
  "\u2028",
  "\u0085",
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
  { weight: 1, arbitrary: fc.string({ unit: character, maxLength: 30 }) },
  { weight: 1, arbitrary: fc.string({ maxLength: 30 }) },
);

/** Short enough that no report truncates it. */
export const shortHostileText: fc.Arbitrary<string> = hostileText.filter((text) => visible(text).length < 100);
