// The workflows to copy; the build puts the texts of examples/ci and templates in here.

import type { CiTexts } from "./ci-files.ts";

declare const LINKFORM_CI_TEXTS: CiTexts;

export const CI_TEXTS: CiTexts = LINKFORM_CI_TEXTS;
