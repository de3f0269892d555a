// Where the editor underlines a mistake, and what it says of it. `«…»` is what must be underlined: no more, no less.

import { describe, expect, it } from "vitest";
import { underlinedIn } from "../support/cursor.ts";
import { project, resource, useEditor } from "../support/editor-project.ts";

const editor = useEditor();

/** Opens the text without its marks, and holds what is underlined against them. Answers what is said there. */
async function expectMarks(file: string, marked: string): Promise<string[]> {
  const { text, underlined } = underlinedIn(marked);
  const marks = await editor().marks(file, text);
  expect(marks.map(({ text: covered, from, to }) => ({ text: covered, from, to }))).toEqual(underlined);
  return marks.map(({ message }) => message);
}

const inResource = (text: string): Promise<string[]> => expectMarks("links/a.yaml", resource(text));
const inProject = (text: string): Promise<string[]> => expectMarks("linkform.yaml", project(text));

// Fails when a union makes the server choose another alternative than the author meant: it then underlines all of the
// block, or says what that other one wants.
describe("in a link", () => {
  it.each([
    ["disabled: «yes please»", "This must be `true` or `false`."],
    ["privacy: «secret»", "This must be one of: public, private, password."],
    ["«targetting»: { country: { DE: https://example.com/ } }", "Property targetting is not allowed."],
    ["url: «example.com/spring»", "This must be a URL with a scheme, such as https://example.com/page."],
    ["url: «12»", "This must be a URL with a scheme, such as https://example.com/page."],
    ["pixels: «Meta»", "This must be a list of pixels, such as `[one, two]`."],
    ["expiration: { date: «20270331» }", "This must be a date (YYYY-MM-DD) or `none`."],
    ["expiration: { date: «31.03.2027» }", "This must be a date (YYYY-MM-DD) or `none`."],
    ["expiration: { date: 2027-03-31, time: «25:00» }", "This must have the form HH:MM, from 00:00 to 23:59."],
    ["expiration: { clicks: «many» }", "This must be a whole number from 1 to 999999999, or `none`."],
    [
      "expiration: «never»",
      "This must be `none`, or a map with any of these keys: date, time, start, start_time, clicks, url.",
    ],
    ["expiration: { «until»: 2027-03-31 }", "Property until is not allowed."],
    ["password: { env: «SPRING» }", /^This must be the name of an environment variable: LINKFORM_SECRET_/],
    ["password: { file: «../spring.txt» }", "This must be a path inside the project folder."],
    ["password: { «variable»: LINKFORM_SECRET_A }", "Property variable is not allowed."],
    ["password: { env: LINKFORM_SECRET_A, «file»: a }", "This must have either `env` or `file`."],
    ["password: «null»", /^A secret must be/],
    [
      "targeting: { active: «contry» }",
      "This must be one of: none, country, platform, language, rotation, continent, browser, device.",
    ],
    ["targeting: { country: { «de»: https://example.com/ } }", /^A country must be two uppercase letters/],
    [
      "targeting: { country: { DE: «example.com» } }",
      "This must be a URL with a scheme, such as https://example.com/page.",
    ],
    ["targeting: { platform: { «ios»: https://example.com/ } }", /^A platform must be one of: iOS, Android/],
    [
      "targeting: { rotation: [https://example.com/a, «b»] }",
      "This must be a URL with a scheme, such as https://example.com/page.",
    ],
    ["protect: «maybe»", "This must be `true` or `false`."],
  ])("%s", async (line, message) => {
    const url = line.startsWith("url") ? "" : "    url: https://example.com/\n";
    expect(await inResource(`links:\n  spring:\n${url}    ${line}`)).toEqual([
      typeof message === "string" ? message : expect.stringMatching(message),
    ]);
  });
});

// Fails when a password that stands in the file is not the one thing that is underlined.
it("marks a password that is no reference", async () => {
  const text = "links:\n  spring:\n    password: «hunter2»\n    url: https://example.com/";
  expect(await inResource(text)).toEqual([expect.stringContaining("never the value itself")]);
});

// Fails when one mistake hides another, or brings a second mark with it.
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
  expect(messages[1]).toBe("A link must be a map of fields with at least `url`.");
  expect(messages[4]).toMatch(/^This must be one of: adroll, bing, facebook/);
});

// Fails when the blocks of the project file lose what they limit.
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

// Fails when a resource file is offered what belongs to the project file.
it("marks a key of the project file in a resource file", async () => {
  expect(await inResource("«prune»: none\nlinks: {}")).toEqual(["Property prune is not allowed."]);
});

// Fails when the schema refuses what YAML takes for a number, a word or nothing, and linkform takes as it is written.
it("marks nothing in what is only unusual", async () => {
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
