// Rules about a pixel's value: what was pasted, and whose id it is.

import type { OtherId, TextSpec, ValueForm } from "../../domain/field.ts";
import { PLACEHOLDERS } from "../../domain/pixel-fields.ts";
import { textProblem } from "../../domain/table.ts";
import type { Remark } from "./advice.ts";

type Forms = NonNullable<TextSpec["forms"]>["of"];

/**
 * What is to be said of a value, the most telling first: only one of it is worth saying. `type` is the pixel's; of one
 * without, or that is not known, the form is not judged. A value that is refused anyway is explained, if need be.
 */
export function valueRemarks(row: TextSpec, forms: Forms, type: string, text: string): Remark[] {
  const form = Object.hasOwn(forms, type) ? forms[type] : undefined;
  const pasted = snippet(text, form);
  if (pasted.length > 0) return pasted;
  const told = [...placeholder(text, form), ...space(text, form), ...otherIds(text, forms)];
  if (form === undefined || textProblem(row, text.trim()) !== null) return told;
  return [...told, ...misformed(text.trim(), type, form, forms)];
}

function snippet(text: string, form: ValueForm | undefined): Remark[] {
  if (!/<\/?(?:script|noscript|img|iframe|!--)|\w\(/i.test(text)) return [];
  const inside = form && new RegExp(`(?<![\\w-])${form.pattern.source.slice(1, -1)}(?![\\w-])`).exec(text)?.[0];
  const instead = inside ?? form?.example;
  const hint =
    instead === undefined
      ? "Write the id alone."
      : `Write the id alone${inside === undefined ? ", such as" : ":"} \`${instead}\`.`;
  return [{ rule: "pixel-snippet", message: "`value` is a pasted script, not the id in it.", hint }];
}

function placeholder(text: string, form: ValueForm | undefined): Remark[] {
  if (!PLACEHOLDERS.some((pattern) => pattern.test(text.trim()))) return [];
  const message = `\`${text.trim()}\` is a placeholder, not an id.`;
  return [
    { rule: "pixel-placeholder", message, hint: form === undefined ? "Write the id." : `Write the id: ${form.shape}.` },
  ];
}

function space(text: string, form: ValueForm | undefined): Remark[] {
  const bare = text.replaceAll(/\s+/g, "");
  if (bare === text || bare === "") return [];
  const isInside = text.trim() !== bare;
  const hint = form?.pattern.test(bare) === true ? `Write it without: \`${bare}\`.` : "Remove it.";
  return [{ rule: "pixel-space", message: `\`value\` has white space ${isInside ? "in" : "around"} it.`, hint }];
}

function otherIds(text: string, forms: Forms): Remark[] {
  return Object.values(forms).flatMap(({ others, example }) =>
    others.flatMap((other): Remark[] => {
      const found = other.pattern.exec(text.trim());
      if (found === null) return [];
      return [{ rule: other.rule, message: other.message, hint: insteadOf(other, found[1], example) }];
    }),
  );
}

function insteadOf({ instead }: OtherId, meant: string | undefined, example: string): string {
  return meant === undefined ? `Write ${instead}, such as \`${example}\`.` : `Write ${instead}: \`${meant}\`.`;
}

function misformed(text: string, type: string, form: ValueForm, forms: Forms): Remark[] {
  const remarks: Remark[] = [];
  if (form.needs !== null && !text.includes(form.needs.text)) {
    const message = `The service refuses the id of an ${type} pixel without \`${form.needs.text}\`.`;
    remarks.push({ rule: form.needs.rule, message, hint: `Write ${form.shape}.` });
  }
  if (form.pattern.test(text)) return remarks;
  const [owner] = Object.entries(forms).find(([other, candidate]) => other !== type && isTheirs(text, candidate)) ?? [];
  if (owner !== undefined && !hasPrefix(text, form)) {
    const message = `\`${text}\` looks like the id of another type, ${owner}.`;
    remarks.push({ rule: "pixel-type", message, hint: `Did you mean \`type: ${owner}\`?` });
  }
  const message = `\`${text}\` does not look like the id of a ${type} pixel.`;
  return [...remarks, { rule: "pixel-value", message, hint: correction(text, form) }];
}

function hasPrefix(text: string, { prefix }: ValueForm): boolean {
  return prefix !== null && text.toLowerCase().startsWith(prefix.toLowerCase());
}

function isTheirs(text: string, form: ValueForm): boolean {
  return hasPrefix(text, form) || (form.isDistinct && form.pattern.test(text));
}

/** What was most likely meant: in capitals, or with the prefix that was left out. */
function correction(text: string, { pattern, prefix, shape }: ValueForm): string {
  const candidates = [text.toUpperCase(), text.toLowerCase(), `${prefix ?? ""}${text.toUpperCase()}`];
  const meant = candidates.find((candidate) => pattern.test(candidate));
  return meant === undefined ? `It is ${shape}.` : `Did you mean \`${meant}\`?`;
}
