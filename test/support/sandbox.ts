// Starts the sandbox as the version that LINKFORM_TEST_SOFTWARE names (default 4.1), so that one suite runs on every version.

import {
  SOFTWARE,
  type Sandbox,
  type SandboxOptions,
  type Software,
  startSandbox as start,
} from "../../src/sandbox/index.ts";

/** The version that tests run on. */
export const testSoftware: Software = parseSoftware(process.env["LINKFORM_TEST_SOFTWARE"]);

/** Starts the sandbox; a test that is about one version names it in `software`. */
export function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  return start({ ...options, software: options.software ?? testSoftware });
}

function parseSoftware(value = "4.1"): Software {
  const software = SOFTWARE.find((version) => version === value);
  if (software === undefined)
    throw new Error(`LINKFORM_TEST_SOFTWARE must be one of ${SOFTWARE.join(", ")}: "${value}".`);
  return software;
}
