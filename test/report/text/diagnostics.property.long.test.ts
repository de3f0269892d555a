// Frames and messages about files in which somebody has written a password: it is never shown.

import fc from "fast-check";
import { expect, test } from "vitest";
import { validate } from "../../../src/cli/validate.ts";
import { runIn, temporaryFolder, writeFiles } from "../../support/scenario.ts";

const PASSWORD = fc
  .string({ unit: fc.constantFrom(..."abcXYZ0189!$%&()*+,-./:;<=>?@[]^_`|~#{}'"), minLength: 6, maxLength: 30 })
  .map((text) => `Zq${text}7w`);

/** Where a password may stand, right and wrong, in files that can be read and in files that can't. */
const PLACES: readonly ((secret: string) => string)[] = [
  (secret) => `links:\n  a:\n    url: x\n    password: ${secret}\n`,
  (secret) => `links:\n  a:\n    url: x\n    password: "${secret}"\n    privacy_password: '${secret}'\n`,
  (secret) =>
    `links:\n  a:\n    url: x\n    pasword: ${secret}\n    passwort: ${secret}\n    privacy-password: ${secret}\n`,
  (secret) => `links:\n  a:\n    url: x\n    password:\n      ${secret}\n`,
  (secret) => `links:\n  a:\n    url: x\n    password: |\n      ${secret}\n     ${secret}\n`,
  (secret) => `links:\n  a:\n    url: x\n    password: { env: "${secret}" }\n`,
  (secret) => `links:\n  a:\n    url: x\n    password: { value: "${secret}", env: LINKFORM_SECRET_A }\n`,
  (secret) => `links:\n  a:\n    url: x\n    password:\n      env: "${secret}"\n      file: "${secret}"\n`,
  (secret) => `links:\n  a:\n    url: x\n    password: ["${secret}"]\n`,
  (secret) => `links:\n  a:\n    url: x\n    password: "${secret}\n    disabled: yes\n`,
  (secret) => `links:\n  a:\n    url: x\n    password:${secret}\n`,
  (secret) => `links:\n  a:\n    url: x\n    password = ${secret}\n`,
  (secret) => `links:\n  a:\n    url: x\n\tpassword: ${secret}\n`,
  (secret) => `links:\n  a:\n    url: x\n    password: ${secret}\n      disabled: true\n`,
  (secret) => `links:\n  a: { url: x, password: "${secret}", disabeld: true }\n`,
  (secret) => `links:\n  a: { password: "${secret}" url: x }\n`,
  (secret) => `links: { a: { url: x, password:\n  "${secret}", nope: 1 } }\n`,
  (secret) => `links: { a: { url: x, password: {\n  value: "${secret}" } } }\n`,
  (secret) => `defaults: { link: { password: "${secret}" } }\n`,
  (secret) => `api_key: ${secret}\ntoken: "${secret}"\n`,
  (secret) => `service: { base_url: "https://me:${encodeURIComponent(secret)}@short.example.com" }\n`,
  (secret) => `service:\n  base_url: "https://short.example.com/?key=${encodeURIComponent(secret)}"\n`,
  (secret) => `service: { base_url: "${encodeURIComponent(secret)}" }\n`,
];

// Fails when a frame or a message shows a secret, however it was written and whatever else is wrong with the file.
test.each(PLACES.map((write) => [JSON.stringify(write("PASSWORD")), write] as const))(
  "a password that somebody has written into a file: %s",
  async (_, write) => {
    const folder = await temporaryFolder();
    await fc.assert(
      fc.asyncProperty(PASSWORD, async (secret) => {
        const head = "version: 1\n";
        const text = write(secret);
        const service = text.includes("service:") ? "" : "service: { base_url: https://short.example.com }\n";
        await writeFiles(folder, { "linkform.yaml": `${head}${service}${text}` });
        const { exit, out, err } = await runIn(folder, {}, (world) => validate(world, {}));
        expect([exit, err]).toEqual([1, ""]);
        for (const form of [secret, encodeURIComponent(secret)]) expect(out).not.toContain(form);
      }),
      { numRuns: 60 },
    );
  },
);
