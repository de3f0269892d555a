// Which text the editor underlines, and its message. Exactly the text in `«…»` must be underlined.

import { describe, expect, it } from "vitest";
import { project, resource, underlinedIn, useEditor } from "../support/editor-project.ts";

const editor = useEditor();

/** Opens the text without its marks, compares what is underlined with them, and returns the messages. */
async function expectMarks(file: string, marked: string): Promise<string[]> {
  const { text, underlined } = underlinedIn(marked);
  const marks = await editor().marks(file, text);
  expect(marks.map(({ text: covered, from, to }) => ({ text: covered, from, to }))).toEqual(underlined);
  return marks.map(({ message }) => message);
}

const inResource = (text: string): Promise<string[]> => expectMarks("links/a.yaml", resource(text));
const inProject = (text: string): Promise<string[]> => expectMarks("linkform.yaml", project(text));

const ADDRESS = "This must be a URL with a scheme, such as https://example.com/page.";

// Fails if a union makes the server choose another alternative than the author meant: it underlines the whole block, or shows the message of
// the other alternative.
describe("in a link", () => {
  it.each([
    ["disabled: «yes please»", "This must be `true` or `false`."],
    ["«targetting»: { country: { DE: https://example.com/ } }", "Property targetting is not allowed."],
    ["url: «example.com/spring»", ADDRESS],
    ["pixels: «Meta»", "This must be a list, such as `[Meta main]`."],
    ["expiration: { clicks: «many» }", "This must be a whole number from 1 to 999999999, or `none`."],
    ["expiration: «never»", /^This must be `none` or a map, such as `{ date: 2027-03-31, /],
    ["password: { env: «SPRING» }", /^This must be the name of an environment variable: LINKFORM_SECRET_/],
    ["password: { env: LINKFORM_SECRET_A, «file»: a }", "This must have either `env` or `file`."],
    ["password: «hunter2»", /never the value itself/],
    [
      "targeting: { active: «contry» }",
      "This must be one of: none, country, platform, language, rotation, continent, browser, device.",
    ],
    ["targeting: { country: { «de»: https://example.com/ } }", /^A country must be two uppercase letters/],
    ["targeting: { country: { DE: «example.com» } }", ADDRESS],
    ["targeting: { rotation: [https://example.com/a, «b»] }", ADDRESS],
  ])("%s", async (line, message) => {
    const url = line.startsWith("url") ? "" : "    url: https://example.com/\n";
    expect(await inResource(`links:\n  spring:\n${url}    ${line}`)).toEqual([
      typeof message === "string" ? message : expect.stringMatching(message),
    ]);
  });
});

// Fails if one mistake hides another, or has two marks.
it("marks each of several mistakes once", async () => {
  const messages = await inResource(`links:
  «sum mer»: { url: https://example.com/ }
  autumn: «https://example.com/autumn»
  spring:
    url: https://example.com/
    disabled: «"no"»
    «expires»: 2027-03-31
pixels:
  Meta main:
    type: «facebok»
    value: «"12 34"»
absent:
  links: { old: { id: «twelve» } }
`);
  expect(messages[0]).toBe("The key of a link must be its alias (only letters, digits, `-` and `_`), or domain/alias.");
  expect(messages[1]).toBe("This must be a map, such as `{ url: https://example.com/spring }`.");
  expect(messages[4]).toMatch(/^This must be one of: adroll, bing, facebook/);
});

// Fails if a block of the project file accepts any value.
it("marks mistakes in a project file", async () => {
  await inProject(`version: «2»
service: { base_url: https://short.example.com, «key»: a }
timezone: «3»
domains: { go: 2, promo: «[promo.example.com]» }
files: «links»
scope: «{}»
prune: «all»
brake: { deletes: «lots», clicks: «10», «form»: 1 }
allow: [create, «destroy»]
«linsk»: {}
`);
  expect(await inProject("version: 1\n«service»: { account_timezone: Europe/Berlin }")).toEqual([
    'Missing property "base_url".',
  ]);
});

// Fails if the schema refuses what YAML reads as a number, a boolean or null, and linkform reads as text.
it("does not mark unusual values", async () => {
  const text = resource(`links:
  2024: { url: https://example.com/, note: 7, renamed_from: 2023 }
  007: { url: HTTPS://EXAMPLE.COM/, space: null, pixels: [2024, on], expiration: { clicks: none } }
  on: { url: https://example.com/, expiration: { date: 2027-03-31, time: 18:00 } }
  spríng: { url: https://example.com/, targeting: none, expiration: none, password: none }
  promo.example.com/a:
    url: https://example.com/
pixels:
  1234: { type: facebook, value: 9999999999999999 }
absent:
  links:
    - old
    - 2023
    - older: { id: 12 }
  pixels: { Old: }
`);
  expect(await editor().marks("links/a.yaml", text)).toEqual([]);
});
