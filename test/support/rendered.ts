// A report as a reader sees it: HTML as a browser parses it, and Markdown as GitHub renders it (CommonMark with tables and autolinks).

import { gfm, gfmHtml } from "micromark-extension-gfm";
import { micromark } from "micromark";
import { parse, parseFragment, type DefaultTreeAdapterTypes } from "parse5";

type Node = DefaultTreeAdapterTypes.ChildNode;
type Element = DefaultTreeAdapterTypes.Element;

/** A report as a page. */
export class Rendered {
  readonly #roots: readonly Node[];
  /** The parse errors of an HTML page. */
  readonly errors: string[] = [];

  constructor(report: string, format: "markdown" | "html" = "markdown") {
    const options = { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true };
    const { childNodes } =
      format === "html"
        ? parse(report, { onParseError: ({ code }) => this.errors.push(code) })
        : parseFragment(micromark(report, options));
    this.#roots = childNodes;
  }

  /** Every element, in the order of the page. */
  elements(...names: readonly string[]): Element[] {
    return this.#roots.flatMap(below).filter(({ tagName }) => names.length === 0 || names.includes(tagName));
  }

  /** The names of all elements, without duplicates. */
  names(): string[] {
    return [...new Set(this.elements().map(({ tagName }) => tagName))].toSorted();
  }

  texts(name: string): string[] {
    return this.elements(name).map((element) => textOf(element));
  }

  /** The visible text, without the text of elements with these names. */
  text(...without: readonly string[]): string {
    return this.#roots.map((node) => textOf(node, without)).join("");
  }

  /** The targets of links. */
  links(): string[] {
    return this.elements("a").map((link) => link.attrs.find(({ name }) => name === "href")?.value ?? "");
  }

  /** Names and values of all attributes except the targets of links. */
  attributes(): string[] {
    return this.elements().flatMap(({ tagName, attrs }) =>
      attrs.flatMap(({ name, value }) => (name === "href" ? [] : [`${tagName} ${name}=${value}`])),
    );
  }

  comments(): string[] {
    const found = (node: Node): string[] => {
      if (node.nodeName === "#comment" && "data" in node) return [node.data];
      return "childNodes" in node ? node.childNodes.flatMap(found) : [];
    };
    return this.#roots.flatMap(found);
  }
}

function isElement(node: Node): node is Element {
  return "tagName" in node;
}

function below(node: Node): Element[] {
  const inside = "childNodes" in node ? node.childNodes.flatMap(below) : [];
  return isElement(node) ? [node, ...inside] : inside;
}

function textOf(node: Node, without: readonly string[] = []): string {
  if ("value" in node && node.nodeName === "#text") return node.value;
  if (isElement(node) && without.includes(node.tagName)) return " ";
  if (isElement(node) && node.tagName === "br") return "\n";
  return "childNodes" in node ? node.childNodes.map((child) => textOf(child, without)).join("") : "";
}
