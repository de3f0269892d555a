// Languages by which visitors can be told apart (ISO 639-1), and what is taken for one.

import type { CodeList } from "./field.ts";

/** The 183 two-letter codes of ISO 639-1 that are in force. */
const CODES = `
  aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es
  et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki
  kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no
  nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te
  tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu`;

const old = (code: string): { code: string; because: string } => ({ code, because: `it was replaced by \`${code}\`` });
const country = (code: string): { code: string; because: string } => ({ code, because: "it is a country" });

export const LANGUAGE_CODES: CodeList = {
  standard: "ISO 639-1",
  unknown: "unknown-language",
  codes: new Set(CODES.trim().split(/\s+/)),
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
