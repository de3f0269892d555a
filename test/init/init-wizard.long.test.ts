// `linkform init` on a terminal. Fails if a run that is aborted at any question writes anything, or if a wrong address is not
// asked again.

import { expect, test } from "vitest";
import { begin, entriesOf } from "../support/beginning.ts";
import { CTRL_C, CTRL_D, ENTER, LINKS, open } from "./wizard.ts";

test("asks again for an unreachable address", async () => {
  const start = await begin();
  const wizard = await open(start, [], { LINKFORM_API_KEY: start.sandbox.apiKey });
  await wizard.answer(/What is the address/, `http://127.0.0.1:9${ENTER}`);
  await wizard.sees(/■ {2}.*127\.0\.0\.1:9/);
  await wizard.answer(/What is the address/, `${"\u007f".repeat(18)}${start.sandbox.url}${ENTER}`);
  await wizard.answer(/Which domains do these files cover/, CTRL_C);
  expect(await wizard.ended).toBe(130);
});

const QUESTIONS: readonly [RegExp, string][] = [
  [/What is the address/, ENTER],
  [/Which domains do these files cover/, ENTER],
  [/Which spaces do these files cover/, ENTER],
  [/Add a workflow/, ENTER],
  [/How do you want to start/, ENTER],
  [/Write them/, ENTER],
];

test.each(QUESTIONS.map(([question], at) => [question, at] as const))("at %s", async (_, at) => {
  const start = await begin({ seed: { links: LINKS } });
  const env = { LINKFORM_BASE_URL: start.sandbox.url, LINKFORM_API_KEY: start.sandbox.apiKey };
  const wizard = await open(start, [], env);
  for (const [place, [question, keys]] of QUESTIONS.slice(0, at + 1).entries())
    await wizard.answer(question, place === at ? CTRL_C : keys);
  expect(await wizard.ended).toBe(130);
  expect(await wizard.screen()).toContain("nothing was written");
  expect(await entriesOf(start.folder)).toEqual([]);
});

test.each([0, 1])("by Ctrl-D, which ends the input", async (at) => {
  const start = await begin({ seed: { links: LINKS } });
  const wizard = await open(start, ["--base-url", start.sandbox.url], {});
  const questions: readonly [RegExp, string][] = [
    [/Your API key/, `${start.sandbox.apiKey}${ENTER}`],
    [/Which domains do these files cover/, ENTER],
  ];
  for (const [place, [question, keys]] of questions.slice(0, at + 1).entries())
    await wizard.answer(question, place === at ? CTRL_D : keys);
  expect(await wizard.ended).toBe(130);
  expect(await wizard.screen()).toContain("nothing was written");
  expect(await entriesOf(start.folder)).toEqual([]);
});
