// The replies of the service: the envelopes of success, the three shapes of errors, and the HTML pages for clients without
// JSON in `Accept` (docs/service.md, "Responses" and "Errors").
import { STATUS_CODES } from "node:http";
import { isSince, type Software } from "./service.ts";

type Headers = Readonly<Record<string, string>>;

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** Messages by field, with dots for brackets (`country.0.key`). */
export type Errors = Record<string, string[]>;

/** JSON as PHP writes it: `\/` for a slash, `\uXXXX` for non-ASCII characters. */
export function phpJson(value: object): string {
  const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(value)
    .replace(/\//g, "\\/")
    .replace(/[\u0080-\uffff]/g, escaped);
}

export function json(status: number, value: object, headers: Headers = {}): Reply {
  return { status, headers: { "content-type": "application/json", ...headers }, body: phpJson(value) };
}

export function html(status: number, body: string, headers: Headers = {}): Reply {
  return { status, headers: { "content-type": "text/html; charset=UTF-8", ...headers }, body };
}

export const found = (data: object): Reply => json(200, { data, status: 200 });

/** Store: 201 outside, 200 inside. */
export const stored = (data: object): Reply => json(201, { data, status: 200 });

export const deleted = (id: number, object: "link" | "pixel"): Reply =>
  json(200, { id, object, deleted: true, status: 200 });

/** Any reply but success, thrown. */
export class Refusal extends Error {
  /** `wantsJson`: whether JSON is the first type in `Accept`. */
  readonly reply: (wantsJson: boolean) => Reply;
  constructor(reply: (wantsJson: boolean) => Reply) {
    super();
    this.reply = reply;
  }
}

/** Shape 1, validation. @throws Refusal unless there are no errors */
export function refuseIfAny(errors: Errors): void {
  if (Object.keys(errors).length > 0) throw new Refusal(() => json(422, { message: errors, status: 422 }));
}

/** Shape 2, the application's own errors: always JSON. */
export const refusal = (status: number, message: string): Refusal =>
  new Refusal(() => json(status, { message, status }));

/** Show and delete of an unknown id. */
export const notFound = (): Refusal => refusal(404, "Resource not found.");

/** Update of an unknown id. */
export function notUpdatable(model: "Link" | "Pixel", software: Software): Refusal {
  const models = software === "4.1" ? "" : "Models\\";
  return isSince(software, "44")
    ? notFound()
    : frameworkError(404, `No query results for model [App\\${models}${model}].`);
}

/** Shape 3, an error of the framework: JSON without `status`, or an HTML page. */
export const frameworkError = (status: number, message: string, headers: Headers = {}): Refusal =>
  new Refusal((wantsJson) =>
    wantsJson ? json(status, { message }, headers) : html(status, errorPage(status), headers),
  );

/** An error of PHP itself. */
export const serverError = (): Refusal => frameworkError(500, "Server Error");

const TITLES: typeof STATUS_CODES = { ...STATUS_CODES, 419: "Page Expired", 500: "Server Error" };

/** The framework's plain error page, without what no client needs. */
function errorPage(status: number): string {
  const title = TITLES[status] ?? "Error";
  return `<!DOCTYPE html>
<html lang="en">
    <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">

        <title>${title}</title>
    </head>
    <body>${status} ${title}</body>
</html>
`;
}

/** For elements and quoted attributes. */
export function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`);
}

export function redirectPage(to: string): string {
  const target = escapeText(to);
  return `<!DOCTYPE html>
<html>
    <head>
        <meta charset="UTF-8" />
        <meta http-equiv="refresh" content="0;url='${target}'" />

        <title>Redirecting to ${target}</title>
    </head>
</html>`;
}
