// Pages as a browser's parser reads them, for tests of what is in them.

import { type DefaultTreeAdapterTypes, parse } from "parse5";
import type { RenderContext } from "../../src/report/format.ts";
import { html } from "../../src/report/html/index.ts";
import type { Report } from "../../src/report/report.ts";
import { CONTEXT } from "./reports.ts";

export const SETTING: RenderContext = {
  ...CONTEXT,
  runUrl: "https://ci.example.com/run/1",
  blobUrl: "https://ci.example.com/blob/abc/",
};

/** An element of a page. */
export interface Element {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  /** All text in it. */
  readonly text: string;
  /** Those within it, in their order. */
  readonly inner: readonly Element[];
}

/** The elements of a report's page, in the order of their beginnings, and whether all of it was as a parser expects. */
export function pageOf(report: Report, setting: RenderContext = SETTING): { elements: Element[]; errors: string[] } {
  const errors: string[] = [];
  const document = parse(html.render(report, setting), { onParseError: ({ code }) => errors.push(code) });
  return { elements: elementsOf(document), errors };
}

function elementsOf(node: DefaultTreeAdapterTypes.ParentNode): Element[] {
  return node.childNodes.flatMap((child) => {
    if (!("tagName" in child)) return [];
    const inner = elementsOf(child);
    const attributes = new Map(child.attrs.map(({ name, value }) => [name, value]));
    return [{ name: child.tagName, attributes, text: textOf(child), inner }, ...inner];
  });
}

function textOf(node: DefaultTreeAdapterTypes.ParentNode): string {
  return node.childNodes
    .map((child) => ("value" in child ? child.value : "childNodes" in child ? textOf(child) : ""))
    .join("");
}
