// The UTM parameters of the URLs in a row, as `utm`.

import { UTM_PATHS } from "../config/utm.ts";
import { applyUtm, isUtmValue, splitUtm, utmParametersIn, type UtmValues } from "../domain/utm.ts";
import { DESTINATION_FIELD } from "../domain/table.ts";
import { isBlock, type YamlContent } from "../edit/yaml-text.ts";

interface SplitContents {
  readonly utm: UtmValues;
  /** The destinations without these parameters, by path. */
  readonly contents: ReadonlyMap<string, YamlContent>;
  /** A URL has UTM parameters that `utm` cannot express, such as in another order. */
  readonly isOdd: boolean;
}

/**
 * Splits the URLs of a row. They stay complete if one `utm` cannot express all of them. That includes a parameter with another value than
 * its column, so that the conflict is reported.
 */
export function splitContents(values: ReadonlyMap<string, YamlContent>, cells: UtmValues): SplitContents {
  const url = values.get(DESTINATION_FIELD);
  const given = splitUtm(typeof url === "string" ? url : "").utm;
  const utm: UtmValues = new Map(
    [...given].filter(([key, value]) => isUtmValue(value) && (cells.get(key) ?? value) === value),
  );
  const contents = new Map<string, YamlContent>();
  let isOdd = false;
  const addressOf = (text: string): string => {
    const { address } = splitUtm(text, [...utm.keys()]);
    isOdd ||= applyUtm(address, utm).url !== text || utmParametersIn(address).length > 0;
    return address;
  };
  for (const path of UTM_PATHS) {
    const content = values.get(path);
    if (content !== undefined) contents.set(path, mapTexts(content, addressOf));
  }
  return isOdd ? { utm: new Map(), contents: new Map(), isOdd } : { utm, contents, isOdd };
}

/** The same content with other texts: of a text, a list, or the values of a map. */
function mapTexts(content: YamlContent, change: (text: string) => string): YamlContent {
  if (typeof content === "string") return change(content);
  if (content === null || typeof content !== "object") return content;
  if (!isBlock(content)) return content.map(change);
  return {
    ...content,
    entries: content.entries.map(({ value, ...rest }) => ({ ...rest, value: mapTexts(value, change) })),
  };
}
