// The seed of the property tests. Without LINKFORM_TEST_SEED, an integer, each run tries other cases.

import fc from "fast-check";

const seed = process.env["LINKFORM_TEST_SEED"] ?? "";
if (seed !== "") fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) });
