// Aliases, pixel names and URLs as in real accounts: mostly plain, and some that are difficult in files.

import type { Random } from "./random.ts";

const WORDS = ["spring", "sale", "flyer", "qr", "Berlin", "news", "2027", "shop", "x", "promo", "de", "A1"] as const;

/** Characters with a meaning in YAML, JavaScript or link files, and letters of many scripts. */
const ODD_ALIASES: readonly string[] = [
  ..."2024 0123456 9999999999999999 12345678901234567890 1e3 0x1F 0o17 0b1 1_000 2024-01-01 1-2 ١٢٣".split(" "),
  ..."null Null true on off yes no y n NaN none keep env file - -- --- -a _ __ _a-".split(" "),
  ..."__proto__ constructor toString hasOwnProperty prototype valueOf".split(" "),
  ..."links pixels absent defaults version url domain id alias login".split(" "),
  ..."Straße œuvre ﬁn ĳs ﬀ ſpät ²x Ｆｕｌｌ İstanbul ısı smørrebrød æble łódź þorn ŋ Ⅳ".split(" "),
  ..."весна ёлка йод їжак ўсё ґанок Ελλάς 春の特売 がぎ カタカナ 特卖 한국어 خصم מבצע हिन्दी".split(" "),
  "e\u0301te\u0301",
  "x\u0301\u0302\u0323y",
  "a".repeat(255),
  `${"lang-".repeat(40)}ende`,
  "長".repeat(200),
];

const LETTERS = [..."abcdefghijklmnopqrstuvwxyzABCXYZ0123456789-_éüñşąёйґıİßœøł春かカ한عह"];

const ODD_PIXEL_NAMES: readonly string[] = [
  "1 007 1e3 .5 0x10 2024-01-01 12:30:00 null ~ true on no none <<".split(" "),
  "- -a ?b *c &d !e #f #1 @g %h `i` = : :: a: a:b < > | >- | {} [] , , \\ \\n !!str &x *x ---".split(" "),
  "constructor toString prototype hasOwnProperty type value pixels".split(" "),
  ["- a", "? x", "* a", "& b", "! c", "# d", "a # b", "a: b", "a : b", "a, b", "[a, b]", "{ a: b }", "> x", "| y"],
  ["'single'", '"double"', "it's", 'say "hi"', "'", '"', "\\u0041", "%TAG ! x", "!!binary aGk="],
  ["double  space", "three   spaces   in", "tab\there", "no\u00a0break", "zero\u200bwidth", "right\u202eleft"],
  ["<script>alert(1)</script>", "<!-- x -->", "{{ x }}", "${HOME}", "$(id)", "@everyone", "Meta #3", "::error::x"],
  [
    "🎉 Party",
    "👩‍👩‍👧",
    "весна",
    "春の特売",
    "e\u0301te\u0301",
    "ÉTÉ 2",
    "Straße",
    "ﬁn",
    "x\u0301\u0302",
    "مرحبا",
    "c1\u0085x",
  ],
  ["x".repeat(32), "🎉".repeat(32), "長い名前".repeat(8)],
].flat();

/** A key that is probably new. The caller checks that no other key folds to the same. */
export function aliasOf(random: Random): string {
  if (random.chance(0.12)) return random.pick(ODD_ALIASES);
  if (random.chance(0.15)) return random.list(12, () => random.pick(LETTERS)).join("");
  const words = random.list(3, () => random.pick(WORDS)).join(random.pick(["-", "_", ""]));
  return `${words}${random.chance(0.7) ? random.pick(["-", "", "_"]) + random.between(1, 9999) : ""}`;
}

/** At most 32 characters, without spaces at the ends. */
export function pixelNameOf(random: Random): string {
  if (random.chance(0.6)) return random.pick(ODD_PIXEL_NAMES);
  return `${random.pick(["Meta", "Bing", "Google Ads", "LinkedIn", "Quora"])} ${random.pick(["main", "DE", "old", "b2b"])} ${random.between(1, 99)}`;
}

const HOSTS = [
  ..."example.com www.example.com shop.example.com EXAMPLE.com example.org:8443 127.0.0.1 [2001:db8::1] localhost".split(
    " ",
  ),
  ..."münchen.example xn--mnchen-3ya.example пример.example 例え.example user@example.com user:pa%20ss@example.com".split(
    " ",
  ),
  ..."go.example.com example.com.".split(" "),
];

const TAILS: readonly string[] = [
  ..."/ /a /a/b/ /index.php/ /%20x%20 /a%2Fb /übung/straße /путь /春/の /~user /a;b=c /(x) /?x[1] /a,b, /a. /a: /a:b:c".split(
    " ",
  ),
  ..."/it's '' /# /#top #a/b /a#:~:text=b /*x* /!x /&x /- /a&&b /$x /@x /a=b /.. //double /%E2%98%83 /é"
    .split(" ")
    .map((tail) => (/^[/?#]/.test(tail) ? tail : `/${tail}`)),
  ..."?a=1&b=2 ?a=1&a=2 ?q=%22x%22 ?u=https://example.org/?x=1 ?a[]=1&a[1]=2 ?x=y:z&k:%20v ?# ? ?utm_source=Mail&utm_medium=e ?=&= ?a".split(
    " ",
  ),
];

/** A URL that the service accepts: any scheme with a host, without spaces, braces and invalid percent encoding. */
export function addressOf(random: Random): string {
  const scheme = random.chance(0.06) ? random.pick(["http", "ftp", "HTTPS", "myapp", "market", "x-app.v2+b"]) : "https";
  if (random.chance(0.55)) return `https://example.com/${random.pick(WORDS)}/${random.between(1, 500)}`;
  const host = random.chance(0.5) ? "example.com" : random.pick(HOSTS);
  const address = `${scheme}://${host}${random.chance(0.9) ? random.pick(TAILS) : ""}`;
  if (!random.chance(0.015)) return address;
  const long = `https://example.com/long?q=${random.pick(["a", "ü", "%20", "春", "x,"]).repeat(2048)}`;
  const cut = [...long].slice(0, random.between(2040, 2048)).join("");
  return cut.replace(/%2?$/, "x");
}

/** A password for visitors or for the account's owner. The service does not trim it. */
export function passwordOf(random: Random): string {
  return random.pick(["secret", " with spaces ", "päß✓", "'\"`$(x)", "0", "x".repeat(128), "correct horse"]);
}
