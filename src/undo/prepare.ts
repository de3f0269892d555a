// What an undo plans: a receipt read, the account looked at for what it speaks of, and the one planner asked.

import path from "node:path";
import pLimit from "p-limit";
import { DEFAULT_CONCURRENCY } from "../apply/options.ts";
import type { Change, Plan } from "../domain/change.ts";
import type { Diagnostic } from "../domain/diagnostic.ts";
import type { LiveRecord, LiveState } from "../domain/live.ts";
import type { Project } from "../domain/project.ts";
import type { LeftAlone, Receipt, ReceiptChange } from "../domain/receipt.ts";
import { FIELDS, KEY_FIELD } from "../domain/table.ts";
import { EXIT, UserError } from "../errors.ts";
import type { PlanOptions } from "../plan/options.ts";
import { NO_OPTIONS } from "../session/plan-flags.ts";
import { createPlan } from "../plan/plan.ts";
import { filesAgainst, pendingBeside, togetherAtStake } from "./files.ts";
import { trippedBrakes } from "../plan/brake.ts";
import { isWanted, withoutIdleGlobs } from "./chosen.ts";
import type { Variable } from "./step.ts";
import { separateUnreadable } from "../plan/unreadable.ts";
import { undoReading } from "./reading.ts";
import { undoProject, type Undo } from "./plan.ts";
import { undoDiagnostics, undoFindings, addValues, type UndoSummary } from "../view/undo.ts";
import { VariableNames } from "../edit/variable-names.ts";
import type { Reader } from "../service/service.ts";
import type { World } from "../session/context.ts";
import type { Instead, PlanResult } from "../session/prepare.ts";
import type { OpenedProject } from "../session/project.ts";
import { mergeRows } from "../session/read-links.ts";
import { openReceipt, type OpenedReceipt } from "./receipt-files.ts";

export interface UndoPlanFlags {
  readonly force?: boolean;
  readonly receipt?: string | false;
  readonly concurrency?: number;
}

/** What was planned, and what it was planned from. */
interface PlannedUndo {
  readonly undo: Undo;
  readonly left: readonly LeftAlone[];
  /** Files that ask for what each change takes back. */
  readonly against: ReadonlyMap<Change, readonly string[]>;
  /** What the files ask for as the account is before the undo. */
  readonly asked: Plan;
}

export class UndoPlanner implements Instead {
  readonly #world: World;
  readonly #flags: UndoPlanFlags;
  readonly #named: string;
  #opened: OpenedReceipt | null = null;
  #planned: PlannedUndo | null = null;

  constructor(world: World, flags: UndoPlanFlags, named: string) {
    this.#world = world;
    this.#flags = flags;
    this.#named = named;
  }

  /** The receipt as people name it. */
  get file(): string {
    return this.#receipt.file;
  }

  async reading(opened: OpenedProject, project: Project): Promise<Project> {
    this.#opened = await openReceipt(this.#world, this.#named, opened);
    const { receipt } = this.#flags;
    if (typeof receipt === "string" && path.resolve(this.#world.cwd, receipt) === this.#opened.file)
      throw new UserError("receipt-twice", "The receipt that is taken back can't be written over by the new one.", {
        hint: "Give --receipt another name.",
        exit: EXIT.usage,
      });
    return undoReading(this.#opened.receipt, project);
  }

  checkAddress(baseUrl: string): void {
    const { file, baseUrl: then } = this.#receipt;
    if (then === baseUrl) return;
    throw new UserError("receipt-address", `${file} is of ${then}, and this run speaks to ${baseUrl}.`, {
      hint: "Undo it with the project it was made in; if the service has moved, add --base-url with the address that the receipt has.",
    });
  }

  async plan(project: Project, read: LiveState, reader: Reader, options: PlanOptions): Promise<PlanResult> {
    const receipt = this.#receipt;
    const state = await this.#withMissing(read, reader);
    const whole = undoProject(receipt, project, state, {
      force: this.#flags.force === true,
      variableFor: this.#variables(project),
    });
    const now = this.#world.now();
    const chosen = withoutIdleGlobs(receipt, whole.project, options);
    const resendSecrets = chosen.project === whole.project ? whole.resendSecrets : [];
    const planned = createPlan(chosen.project, state, now, { ...chosen.options, resendSecrets });
    const isSaid = isWanted(receipt, options);
    // What a target brings along is made as well.
    const toMake = new Set(planned.changes.map(({ source }) => source));
    const undo = {
      ...whole,
      left: whole.left.filter(isSaid),
      losses: whole.losses.filter((loss) => toMake.has(loss.place) || isSaid(loss)),
    };
    // What the files would change now tells what they still ask for; and what they are about is what the brake takes shares of.
    const asked = createPlan(project, state, now, NO_OPTIONS);
    const atStake = togetherAtStake(planned.atStake, asked.atStake);
    const brakes = trippedBrakes(planned.changes, atStake, project.policy.brake, options.allowances);
    const { keptLive, isPruneBlind } = asked;
    const made = { ...planned, atStake, brakes, keptLive, isPruneBlind };
    const account = project.accountZone ?? state.accountZone;
    const zones = { files: project.zone ?? account ?? made.zones.files, account };
    const left = undo.left.map((one) => addValues(one, zones));
    this.#planned = { undo, left, against: filesAgainst(project, state, made.changes, asked.changes), asked };
    const findings: readonly Diagnostic[] = [
      ...undoFindings(left, undo.doubtful),
      ...undoDiagnostics(made, receipt.file),
    ];
    return { project: undo.project, state, plan: { ...made, zones, diagnostics: findings } };
  }

  /** What is to be said of it; `done` are the changes that were made, null where none was yet. */
  summary({ withheld, changes: toMake }: Plan, done: readonly Change[] | null): UndoSummary {
    const { undo, left, against, asked } = this.#result;
    const { file, at, changes, isEnded } = this.#receipt;
    const out = new Set(withheld.map(({ change }) => change.source));
    const files = new Map<string, string[]>();
    for (const change of done ?? [])
      for (const name of against.get(change) ?? []) files.set(name, [...(files.get(name) ?? []), change.key]);
    return {
      receipt: file,
      at,
      isEnded,
      changes: changes.length,
      alreadyUndone: undo.already,
      losses: undo.losses.filter(({ place }) => !out.has(place)),
      left,
      restored: new Set((done ?? toMake).map(({ source }) => source)),
      files: [...files].map(([name, keys]) => ({ file: name, keys })),
      // With errors in the files, what they ask for is not known.
      pending: asked.complete ? pendingBeside(asked.changes, done ?? []).length + asked.withheld.length : 1,
    };
  }

  get #receipt(): Receipt {
    if (this.#opened === null) throw new Error("the receipt was not opened");
    return this.#opened.receipt;
  }

  get #result(): PlannedUndo {
    if (this.#planned === null) throw new Error("nothing was planned");
    return this.#planned;
  }

  /** Adds links of the receipt that were not read under the keys it names: they may have others by now. */
  async #withMissing(state: LiveState, reader: Reader): Promise<LiveState> {
    if (state.isWhole) return state;
    const read = new Set(state.links.map(({ id }) => id));
    const ids = this.#receipt.changes.flatMap(({ kind, id, newId }) =>
      kind === "link" ? [id, newId].filter((one) => one !== null && !read.has(one)) : [],
    );
    const limit = pLimit(this.#flags.concurrency ?? DEFAULT_CONCURRENCY);
    const rows = await Promise.all(
      [...new Set(ids)].map((id) => limit(() => (id === null ? Promise.resolve(null) : reader.show("link", id)))),
    );
    const found = rows.filter((row): row is LiveRecord => row !== null);
    const users = await Promise.all(
      this.#renamedSince(state).map((pixel) => limit(() => reader.list("link", { pixel }))),
    );
    const unreadableLinks = state.unreadable.filter(({ kind }) => kind === "link");
    const links = separateUnreadable(mergeRows(state.links, unreadableLinks, found, ...users.map((list) => list.rows)));
    const pixels = state.unreadable.filter(({ kind }) => kind === "pixel");
    const unreadable = [...links.unreadable, ...pixels];
    return { ...state, links: links.readable, unreadable, requests: reader.requests };
  }

  /** Pixels that may go, and were not looked for under the name they have by now: who uses them must be known. */
  #renamedSince({ pixels }: LiveState): number[] {
    return this.#receipt.changes.flatMap(({ kind, is, newId }) => {
      const row = kind === "pixel" ? pixels.find(({ id }) => id === newId) : undefined;
      return row === undefined || row.values.get(KEY_FIELD.pixel) === is?.name ? [] : [row.id];
    });
  }

  /** Names are made up from the key, the same ones each time: whatever of the receipt has been taken back by then. */
  #variables({ declarations }: Project): (change: ReceiptChange, path: string) => Variable {
    const names = new VariableNames(declarations);
    const { env } = this.#world;
    const given = new Map<ReceiptChange, ReadonlyMap<string, string>>();
    for (const change of this.#receipt.changes) {
      const { kind, id, was, before } = change;
      const row = { kind, id: id ?? 0, values: new Map([[KEY_FIELD[kind], was?.name ?? ""]]) };
      const secrets = FIELDS[kind].flatMap((field) =>
        field.kind === "secret" && before?.values.get(field.path) === true ? [field.path] : [],
      );
      given.set(change, new Map(secrets.map((field) => [field, names.nameFor(row, field)])));
    }
    return (change, field) => {
      const name = given.get(change)?.get(field);
      if (name === undefined) throw new Error(`${field} is no secret that was set`);
      return { name, isSet: (env[name] ?? "") !== "" };
    };
  }
}
