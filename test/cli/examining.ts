// Runs the doctor on a small project, and reads what each check says.

import { doctor, type DoctorFlags } from "../../src/cli/doctor.ts";
import type { DoctorDocument } from "../../src/report/json/schema.ts";
import type { SandboxOptions } from "../../src/sandbox/index.ts";
import { runIn, startScenario, type Ran, type Scenario } from "../support/scenario.ts";

export const LINK = "links: { go.example.com/a: { url: https://example.com/ } }\n";

export interface Examined extends Ran {
  readonly document: DoctorDocument;
  /** `status: message` of each check, by its name. */
  readonly said: Readonly<Record<string, string>>;
}

type Circumstances = NonNullable<Parameters<typeof runIn>[3]> & {
  readonly env?: Readonly<Record<string, string>>;
  readonly folder?: string;
};

export async function examine(
  scenario: Scenario,
  flags: DoctorFlags = {},
  { env = {}, folder = scenario.folder, ...world }: Circumstances = {},
): Promise<Examined> {
  const run = { format: ["json"], ...flags };
  const ran = await runIn(folder, { ...scenario.env, ...env }, (its) => doctor(its, run), world);
  const document: DoctorDocument = JSON.parse(ran.out);
  const said = Object.fromEntries(document.checks.map(({ name, status, message }) => [name, `${status}: ${message}`]));
  return { ...ran, document, said };
}

/** A project with one link, which is live. */
export async function startDoctor(options: SandboxOptions = {}, text = LINK): Promise<Scenario> {
  const links = [{ url: "https://example.com/", domain: 2, alias: "a" }];
  const scenario = await startScenario({ seed: { links }, ...options });
  await scenario.write(text);
  return scenario;
}
