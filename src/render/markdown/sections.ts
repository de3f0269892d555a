// The sections of a report on changes as tables.

import type { ChangeView } from "../../view/change.ts";
import type { State } from "../../view/drift.ts";
import { driftSections, planSections, type PlanSection } from "../../view/sections.ts";
import type { Setting } from "../format.ts";
import { changedCells, detailsText, goneCells, leftCells, lostCells, newCells, noticedCells } from "./change.ts";
import type { ReportBlock } from "./fit.ts";
import { sectionBlock, type SectionTable } from "./section.ts";

type Table = Pick<SectionTable, "columns" | "cells" | "hasClicks" | "weight">;

const TABLES: Readonly<Record<PlanSection, Table>> = {
  lost: { columns: ["Short URL", "What happens"], cells: lostCells, hasClicks: true, weight: 39 },
  gone: { columns: ["What", "Why"], cells: goneCells, hasClicks: false, weight: 24 },
  noticed: { columns: ["What", "Change"], cells: noticedCells, hasClicks: true, weight: 23 },
  updated: { columns: ["What", "Change"], cells: changedCells, hasClicks: false, weight: 12 },
  new: { columns: ["What", "Leads to"], cells: newCells, hasClicks: false, weight: 1 },
};

/** The changes of a plan or an apply. */
export function changeBlocks(changes: readonly ChangeView[], tense: "plan" | "apply", setting: Setting): ReportBlock[] {
  const details = detailsText(setting);
  return planSections(changes, tense).flatMap((section) => sectionBlock({ section, ...TABLES[section.name], details }));
}

const DIFFERS = ["What", "Declared → live"];
const LEADS_TO = ["What", "Leads to"];

const DRIFT_TABLES: Readonly<Record<State, Table>> = {
  missing: { columns: LEADS_TO, cells: newCells, hasClicks: false, weight: 30 },
  changed: { columns: DIFFERS, cells: noticedCells, hasClicks: true, weight: 29 },
  "not renamed yet": { columns: DIFFERS, cells: noticedCells, hasClicks: true, weight: 28 },
  "not moved yet": { columns: DIFFERS, cells: noticedCells, hasClicks: true, weight: 27 },
  "not deleted yet": { columns: LEADS_TO, cells: leftCells, hasClicks: true, weight: 26 },
  undeclared: { columns: LEADS_TO, cells: leftCells, hasClicks: true, weight: 25 },
};

/** The differences between the files and the live state. */
export function driftBlocks(changes: readonly ChangeView[], setting: Setting): ReportBlock[] {
  const details = detailsText(setting);
  return driftSections(changes).flatMap((section) => sectionBlock({ section, ...DRIFT_TABLES[section.name], details }));
}
