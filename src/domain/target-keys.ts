// The keys of target groups: platforms, continents, devices, browsers, countries and languages.

import type { CodeList } from "./field.ts";

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

/** The 249 codes of ISO 3166-1. */
const COUNTRIES = `
  AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC
  CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD
  GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH
  KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW
  MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC
  SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY
  UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW`;

/** The three-letter codes of ISO 3166-1, in the same order. */
const LONG_COUNTRIES = `
  AND ARE AFG ATG AIA ALB ARM AGO ATA ARG ASM AUT AUS ABW ALA AZE BIH BRB BGD BEL BFA BGR BHR BDI BEN BLM BMU BRN BOL
  BES BRA BHS BTN BVT BWA BLR BLZ CAN CCK COD CAF COG CHE CIV COK CHL CMR CHN COL CRI CUB CPV CUW CXR CYP CZE DEU DJI
  DNK DMA DOM DZA ECU EST EGY ESH ERI ESP ETH FIN FJI FLK FSM FRO FRA GAB GBR GRD GEO GUF GGY GHA GIB GRL GMB GIN GLP
  GNQ GRC SGS GTM GUM GNB GUY HKG HMD HND HRV HTI HUN IDN IRL ISR IMN IND IOT IRQ IRN ISL ITA JEY JAM JOR JPN KEN KGZ
  KHM KIR COM KNA PRK KOR KWT CYM KAZ LAO LBN LCA LIE LKA LBR LSO LTU LUX LVA LBY MAR MCO MDA MNE MAF MDG MHL MKD MLI
  MMR MNG MAC MNP MTQ MRT MSR MLT MUS MDV MWI MEX MYS MOZ NAM NCL NER NFK NGA NIC NLD NOR NPL NRU NIU NZL OMN PAN PER
  PYF PNG PHL PAK POL SPM PCN PRI PSE PRT PLW PRY QAT REU ROU SRB RUS RWA SAU SLB SYC SDN SWE SGP SHN SVN SJM SVK SLE
  SMR SEN SOM SUR SSD STP SLV SXM SYR SWZ TCA TCD ATF TGO THA TJK TKL TLS TKM TUN TON TUR TTO TUV TWN TZA UKR UGA UMI
  USA URY UZB VAT VCT VEN VGB VIR VNM VUT WLF WSM YEM MYT ZAF ZMB ZWE`;

const split = (codes: string): string[] => codes.trim().split(/\s+/);
const countries = split(COUNTRIES);
const byLongCode = new Map(split(LONG_COUNTRIES).map((long, at) => [long, countries[at] ?? ""]));

export const COUNTRY_CODES: CodeList = {
  standard: "ISO 3166-1",
  type: "region",
  unknown: "unknown-country",
  codes: new Set(countries),
  ofLongCode: (text) => byLongCode.get(text.toUpperCase()) ?? null,
  // Kosovo's XK is in use without being in the standard (docs/service.md, "Country and language codes").
  refused: { codes: new Set(["CW", "SS", "SX", "XK"]), rule: "refused-country" },
  retired: new Set("AN CS CT FQ FX JT MI NQ NT PC PU PZ SU VD WK YD ZZ".split(" ")),
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

const old = (code: string): { code: string; because: string } => ({
  code,
  because: `it was replaced by \`${code}\``,
});
const country = (code: string): { code: string; because: string } => ({ code, because: "it is a country code" });

export const LANGUAGE_CODES: CodeList = {
  standard: "ISO 639-1",
  type: "language",
  unknown: "unknown-language",
  codes: new Set(split(LANGUAGES)),
  // A language tag has the shortest code: `de` for `ger` and `deu`.
  ofLongCode: (text) => Intl.getCanonicalLocales(text)[0] ?? null,
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
