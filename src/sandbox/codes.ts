// The codes that the service accepts in closed lists.
import type { Software } from "./service.ts";
import type { ActiveGroup } from "./state.ts";

export const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** ISO 3166-1 alpha-2 without CW, SS and SX, which the service refuses (docs/service.md, "Country and language codes"). */
const COUNTRIES = words(`
  AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ
  CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR
  GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP
  KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT
  MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW
  SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR ST SV SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ
  UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW`);

/** The two-letter codes of ISO 639-1. */
const LANGUAGES = words(`
  aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es
  et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki
  kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no
  nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te
  tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu`);

const WITHDRAWN_COUNTRIES = words("AN CS CT FQ FX JT MI NQ NT PC PU PZ SU VD WK YD ZZ");

const BROWSERS =
  "Chrome,Chromium,Firefox,Firefox Mobile,Edge,Internet Explorer,Mobile Internet Explorer,Vivaldi,Brave,Safari,Opera,Opera Mini," +
  "Opera Mobile,Opera Touch,Yandex Browser,UC Browser,Samsung Internet,Maxtho,QQ Browser,BlackBerry Browser";

/**
 * The keys that each target group accepts; a rotation has none. In 4.1, 264 countries and 184 languages, later 263 and 186
 * (docs/service.md, "Resources" and "Country and language codes").
 */
export function keysOf(software: Software): Readonly<Record<ActiveGroup, readonly string[] | null>> {
  const is41 = software === "4.1";
  return {
    country: [...COUNTRIES, ...WITHDRAWN_COUNTRIES, ...(is41 ? ["DD"] : [])],
    language: [...LANGUAGES, "bh", "cn", "mo", "sh"].filter(
      (code) => !(is41 ? ["cn", "mo", "sh"] : ["ae"]).includes(code),
    ),
    platform: ["iOS", "Android", "Windows", "OS X", "Linux", "Ubuntu", "Chrome OS"],
    rotation: null,
    continent: words("AF AN AS EU NA OC SA"),
    browser: BROWSERS.split(","),
    // The documentation writes them with a capital letter, which the service refuses.
    device: words("desktop mobile tablet watch television"),
  };
}

/** As documented (docs/service.md, "Resources"). */
export const PIXEL_TYPES: readonly string[] = words(
  "adroll bing facebook google-ads google-analytics google-tag-manager linkedin pinterest quora twitter",
);
