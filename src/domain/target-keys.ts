// The keys of target groups: platforms, continents, devices, browsers, countries and languages.

import type { CodeList } from "./field.ts";

/** The documented platforms, in their exact case (docs/service.md, "Resources"). */
export const PLATFORMS = ["iOS", "Android", "Windows", "OS X", "Linux", "Ubuntu", "Chrome OS"] as const;

/** The continents of version 49, by their two-letter codes. */
export const CONTINENTS = ["AF", "AN", "AS", "EU", "NA", "OC", "SA"] as const;

/** The devices of version 49. Its documentation writes them with a capital letter, which it refuses. */
export const DEVICES = ["desktop", "mobile", "tablet", "watch", "television"] as const;

/**
 * Browsers that version 49 recognizes. The list is not known to be complete, so others may be declared, and the service decides.
 * It spells one of them `Maxtho`.
 */
export const BROWSERS: readonly string[] = (
  "Chrome, Chromium, Firefox, Firefox Mobile, Edge, Internet Explorer, Mobile Internet Explorer, Vivaldi, Brave, Safari, " +
  "Opera, Opera Mini, Opera Mobile, Opera Touch, Yandex Browser, UC Browser, Samsung Internet, QQ Browser, " +
  "BlackBerry Browser, Maxtho"
).split(", ");

/** The 249 codes of ISO 3166-1. */
const COUNTRIES = `
  AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC
  CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD
  GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH
  KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW
  MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC
  SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY
  UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW`;

const split = (codes: string): ReadonlySet<string> => new Set(codes.trim().split(/\s+/));

export const COUNTRY_CODES: CodeList = {
  standard: "ISO 3166-1",
  type: "region",
  unknown: "unknown-country",
  codes: split(COUNTRIES),
  // Kosovo's XK is in use without being in the standard (docs/service.md, "Country and language codes").
  refused: { codes: new Set(["CW", "SS", "SX", "XK"]), rule: "refused-country" },
  retired: split("AN CS CT FQ FX JT MI NQ NT PC PU PZ SU VD WK YD ZZ"),
  refusedBy: { DD: "4.9 and later" },
  meant: {
    UK: { code: "GB", because: "the United Kingdom is `GB`" },
    EL: { code: "GR", because: "Greece is `GR`" },
    EU: { code: null, because: "the European Union is not a country" },
  },
};

/** The 183 two-letter codes of ISO 639-1 that are in force. */
const LANGUAGES = `
  aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es
  et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki
  kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no
  nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te
  tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu`;

const old = (code: string) => ({ code, because: `it was replaced by \`${code}\`` });
const country = (code: string) => ({ code, because: "it is a country code" });

export const LANGUAGE_CODES: CodeList = {
  standard: "ISO 639-1",
  type: "language",
  unknown: "unknown-language",
  codes: split(LANGUAGES),
  // None: each language of the standard is accepted by some version (docs/service.md, "Country and language codes").
  refused: { codes: new Set(), rule: "unknown-language" },
  retired: new Set(["bh"]),
  refusedBy: { ae: "4.9 and later", cn: "4.1", mo: "4.1", sh: "4.1" },
  meant: {
    iw: old("he"),
    in: old("id"),
    ji: old("yi"),
    jw: old("jv"),
    mo: old("ro"),
    jp: country("ja"),
    cn: country("zh"),
    cz: country("cs"),
    dk: country("da"),
    gr: country("el"),
    ua: country("uk"),
    vn: country("vi"),
    gb: country("en"),
    us: country("en"),
  },
};
