// The sandbox's page at `/` as the tests open and read it, and an account for it to show.
import { expect } from "vitest";
import type { Sandbox, SeedState } from "../../src/sandbox/index.ts";
import { type Answer, send } from "./client.ts";

export const NOW = "2026-11-21T12:00:00Z";

/** The text that a reader sees, each element on a line of its own. */
export function textOf(html: string): string {
  return html
    .replace(/<(style|datalist|select)[^]*?<\/\1>/g, "")
    .replace(/<\/?(b|bdi|a|span|em|code|strong)\b[^>]*>/g, "")
    .replace(/<[^>]*>/g, "\n")
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
    .replace(/\s*\n\s*/g, "\n");
}

/** The page as its forms open it. */
export async function openPage(
  sandbox: Sandbox,
  form: Readonly<Record<string, string>> = {},
  method: "GET" | "POST" = "GET",
): Promise<string> {
  const data = new URLSearchParams(form).toString();
  const answer: Answer =
    method === "GET"
      ? await send(sandbox.url, `/?${data}`)
      : await send(sandbox.url, "/", {
          method,
          headers: { "content-type": "application/x-www-form-urlencoded" },
          body: data,
        });
  expect([answer.status, answer.headers["content-type"]]).toEqual([200, "text/html; charset=UTF-8"]);
  return answer.text;
}

/** What came of a trial. */
export const resultOf = (html: string): string =>
  textOf(/<div class="panel result"[^]*?<\/p>\n(?=<details|<\/div>)/.exec(html)?.[0] ?? "").trim();

const LINKS: NonNullable<SeedState["links"]> = [
  {
    url: "https://example.com/plain",
    domain: 2,
    alias: "plain",
    clicks: 1204,
    space: 2,
    title: "Plain page",
    pixels: [1],
  },
  {
    url: "https://example.com/spring",
    domain: 2,
    alias: "spring",
    target_type: 1,
    country: [{ key: "DE", value: "https://example.com/de" }],
    language: [{ key: "fr", value: "https://example.com/fr" }],
    pixels: [1, 2],
  },
  {
    url: "https://example.com/old",
    domain: 3,
    alias: "old",
    ends_at: "2026-11-21T11:00:00Z",
    expiration_url: "https://example.com/over",
  },
  {
    url: "https://example.com/off",
    domain: 3,
    alias: "off",
    disabled: 1,
    password: "hunter2",
    expiration_clicks: 1000,
  },
  {
    url: "https://example.com/turns",
    domain: 2,
    alias: "turns",
    target_type: 4,
    rotation: [{ value: "https://example.com/r1" }],
  },
];

const PIXELS: NonNullable<SeedState["pixels"]> = [
  { name: "Meta main", type: "facebook", value: "1234567890123456" },
  { name: "Analytics", type: "google-analytics", value: "G-ABCDE12345" },
  { name: "Unused", type: "bing", value: "12345678" },
];

/** Every state that the page tells, an hour after one link has ended on the clock of `NOW`. */
export const SEED: SeedState = { account: { timezone: "Europe/Berlin" }, pixels: PIXELS, links: LINKS };
