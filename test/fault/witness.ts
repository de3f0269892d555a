// Watches the requests between linkform and the sandbox, one at a time. It makes requests fail, lets someone else write before some of
// them, and reports each record that linkform wrote to although the record differed from the plan when linkform last read it.

import pLimit, { type LimitFunction } from "p-limit";
import type { Clock } from "../../src/domain/clock.ts";
import { fold } from "../../src/sandbox/fold.ts";
import { targetsOf } from "../../src/sandbox/link-form.ts";
import type { Link, Pixel, Sandbox, State } from "../../src/sandbox/index.ts";
import { STRIKES, type FaultName } from "../support/faults.ts";
import type { Asked, Answered, Strike, Struck } from "../support/layer.ts";
import { filterName, ownForm, testSoftware, wireForm } from "../support/sandbox.ts";
import { send } from "../support/through.ts";

export const NOW = "2026-11-21T12:00:00Z";

/** A write by someone else. */
export interface ForeignWrite {
  readonly does:
    | "rename"
    | "redirect"
    | "set a password"
    | "clear the password"
    | "disable"
    | "enable"
    | "delete"
    | "make anew"
    | "expire later"
    | "expire now"
    | "use a pixel"
    | "take a key";
  /** The target: a record that the plan deletes or whose URL it breaks, one that it changes, or any. */
  readonly to: "ending" | "planned" | "any";
  /** Which of them. */
  readonly row: number;
}

interface PlannedChange {
  readonly kind: Kind;
  readonly id: number | null;
  readonly key: string;
  readonly isEnding: boolean;
}

/** The faults and foreign writes of a run, each at a request, counted from 0. */
export interface Disturbances {
  readonly faults: readonly { readonly at: number; readonly fault: FaultName }[];
  readonly writes: readonly (ForeignWrite & { readonly at: number })[];
  /** The requests that take 11 seconds. */
  readonly delays: readonly number[];
  /** The changes that the run will make, by record and by key. */
  readonly planned: readonly PlannedChange[];
}

type Kind = "link" | "pixel";

/** A place in the order of arrivals and answers, and its time. */
interface Moment {
  readonly moment: number;
  readonly at: number;
}

interface Reading extends Moment {
  readonly differences: readonly string[];
  readonly columns: Columns | undefined;
}
type Columns = ReadonlyMap<string, string>;

/** A foreign write that changed something, and the request that follows it. */
interface Written {
  readonly at: number;
  readonly rows: ReadonlySet<string>;
}

export const UNDISTURBED: Disturbances = { faults: [], writes: [], delays: [], planned: [] };
const STRANGE = "https://example.com/strange";

export class Witness {
  /** The mistakes of linkform, as sentences. */
  readonly problems: string[] = [];
  /** The number of linkform's writes that deleted or broke something, and of foreign writes with an effect. */
  readonly counts = { ended: 0, foreign: 0, faults: 0 };
  readonly #sandbox: Sandbox;
  readonly #clock: Clock;
  readonly #oneAtATime: LimitFunction;
  /** Of another run at the same time. */
  #other: Witness | null = null;
  #disturbances = UNDISTURBED;
  #index = -1;
  /** Counts arrivals and answers. */
  #moment = 0;
  /** Whether the run has finished planning. */
  #isPlanned: () => boolean = () => false;
  #isWatching = false;
  /** Whether linkform sends one request at a time, so that it is certain what it had read when, and how long before. */
  #isTimed = false;
  /** Each record as it was planned, with linkform's own writes since then. */
  #shown = new Map<string, Columns>();
  /** The differences when linkform last read a record by its id, until linkform writes to it. */
  #lastRead = new Map<string, readonly string[]>();
  /** The differences at each reading of a record, and when linkform got it. */
  #readings = new Map<string, readonly Reading[]>();
  /** The same for all readings after the planning, with their time. */
  #differences = new Map<string, readonly string[]>();
  #readAt = new Map<string, number>();
  /** The links that used a pixel when linkform last requested them. */
  #users = new Map<number, readonly number[]>();
  /** The attempts so far, each with its record as it was planned before the first of them. */
  #tried = new Map<string, Columns | undefined>();
  #written: Written[] = [];
  /** The records that have had a key in this run. */
  #holders = new Map<string, Set<string>>();

  /** With `other`, the requests of the two runs are handled one at a time, and the writes of each are foreign to the other. */
  constructor(sandbox: Sandbox, clock: Clock, other: Witness | null = null) {
    this.#sandbox = sandbox;
    this.#clock = clock;
    this.#oneAtATime = other === null ? pLimit(1) : other.#oneAtATime;
    this.#other = other;
    if (other !== null) other.#other = this;
  }

  /** Starts a run. `isPlanned` returns whether it has finished planning. */
  begin(disturbances: Disturbances, isTimed: boolean, isPlanned: () => boolean): void {
    this.#isTimed = isTimed;
    this.#disturbances = disturbances;
    this.#index = -1;
    this.#isPlanned = isPlanned;
    this.#isWatching = true;
    for (const map of [this.#shown, this.#lastRead, this.#readings, this.#differences, this.#readAt]) map.clear();
    for (const map of [this.#users, this.#holders]) map.clear();
    this.#tried.clear();
    this.#written = [];
    this.#remember(this.#sandbox.state());
  }

  /** Ends the run: later requests are not part of it. */
  end(): void {
    this.#isWatching = false;
  }

  readonly strike: Strike = (struck) => {
    const arrived = { moment: this.#moment++, at: this.#clock.now() };
    return this.#oneAtATime(() => this.#handle(struck, arrived));
  };

  /** The fields that someone else had changed in the record of this key when linkform last read it. */
  differencesOf(kind: Kind, id: number | null): readonly string[] {
    return this.#differences.get(`${kind} ${id}`) ?? [];
  }

  /** Whether someone else wrote to a record with this key after linkform had last read it. */
  isWrittenUnseen(kind: Kind, keys: readonly string[], id: number | null): boolean {
    const rows = new Set([`${kind} ${id}`, ...keys.flatMap((key) => [...(this.#holders.get(keyOf(kind, key)) ?? [])])]);
    return this.#written.some(({ at, rows: theirs }) =>
      [...rows].some((row) => theirs.has(row) && at > (this.#readAt.get(row) ?? -1)),
    );
  }

  /** Whether someone else wrote to a pixel. Links that use it can lack it although they look unchanged. */
  get isPixelWritten(): boolean {
    return this.#written.some(({ rows }) => [...rows].some((row) => row.startsWith("pixel")));
  }

  async #handle(struck: Struck, arrived: Moment): Promise<void> {
    if (!this.#isWatching) return struck.answer(await struck.forward());
    this.#index += 1;
    for (const write of this.#disturbances.writes) if (write.at === this.#index) await this.#writeForeign(write);
    if (this.#disturbances.delays.includes(this.#index)) await this.#clock.sleep(11_000);
    const fault = this.#disturbances.faults.find(({ at }) => at === this.#index);
    const [attempt, { kind, id }] = [attemptOf(struck.asked), targetOf(struck.asked.url)];
    const planned = this.#tried.get(attempt) ?? this.#shown.get(`${kind} ${id}`);
    let read: { readonly answered: Answered; readonly state: State } | null = null;
    const forward: Struck["forward"] = async (instead) => {
      const before = this.#sandbox.state();
      const answered = await struck.forward(instead);
      const state = this.#sandbox.state();
      this.#remember(state);
      if (struck.asked.method === "GET") read = { answered, state };
      else this.#judgeWrite(struck.asked, answered, arrived, before, state);
      return answered;
    };
    // What linkform does not get, it has not read.
    const answer: Struck["answer"] = (answered) => {
      if (read !== null && answered === read.answered) this.#judgeRead(struck.asked, answered, read.state);
      struck.answer(answered);
    };
    if (fault === undefined) answer(await forward());
    else {
      this.counts.faults += 1;
      await STRIKES[fault.fault]({ ...struck, forward, answer });
    }
    this.#tried.set(attempt, planned);
  }

  #judgeRead({ url }: Asked, { status, body }: Answered, after: State): void {
    const { kind, list, id } = targetOf(url);
    if (list === undefined) return;
    if (status !== 200 && status !== 404) return;
    const now = columnsOf(after);
    if (id !== undefined) return this.#read(`${kind} ${id}`, now.get(`${kind} ${id}`), true);
    const query = new URL(url, "http://sandbox").searchParams;
    const pixel = query.get(filterName("pixel"));
    if (pixel !== null)
      this.#users.set(
        Number(pixel),
        after.links.filter(({ pixels }) => pixels.includes(Number(pixel))).map((link) => link.id),
      );
    if (pixel !== null || query.has("search")) {
      const { data }: { readonly data: readonly { readonly id: number }[] } = JSON.parse(body.toString());
      for (const row of this.#isPlanned() ? data : []) this.#note(`${kind} ${row.id}`, now.get(`${kind} ${row.id}`));
      return;
    }
    // linkform sends 0 to detect the version. It is no filter.
    const domain = query.get(filterName("domain"))?.replace(/^0$/, "") || null;
    const listed = [...after[list === "links" ? "links" : "pixels"]].filter(
      (row) => domain === null || !("domain" in row) || `${row.domain}` === domain,
    );
    for (const row of listed) this.#read(`${kind} ${row.id}`, now.get(`${kind} ${row.id}`), false);
    // A list that is read to its end shows that all other records are gone.
    if (domain === null)
      for (const name of this.#shown.keys())
        if (name.startsWith(kind) && !now.has(name)) this.#read(name, undefined, false);
  }

  #read(name: string, columns: Columns | undefined, isById: boolean): void {
    this.#readAt.set(name, this.#index);
    if (!this.#isPlanned() && columns !== undefined) this.#shown.set(name, columns);
    const differences = this.#note(name, columns);
    if (!this.#isPlanned()) return;
    this.#differences.set(name, differences);
    if (isById) this.#lastRead.set(name, differences);
  }

  #note(name: string, columns: Columns | undefined): readonly string[] {
    const differences = differencesBetween(this.#shown.get(name), columns);
    this.#readings.set(name, [
      ...(this.#readings.get(name) ?? []),
      { moment: this.#moment++, at: this.#clock.now(), differences, columns },
    ]);
    return differences;
  }

  #judgeWrite(asked: Asked, { status }: Answered, arrived: Moment, before: State, after: State): void {
    const { method } = asked;
    const { kind, list, id } = targetOf(asked.url);
    if (list === undefined) return;
    const [name, body, isDone] = [`${kind} ${id}`, asked.body.toString(), status < 300];
    if (!this.#isPlanned()) this.problems.push(`${method} ${name} was sent before the plan was made`);
    const [was, is] = [columnsOf(before), columnsOf(after)];
    const attempt = attemptOf(asked);
    // An earlier attempt may have written the value already. Nobody can see a foreign write after the last reading.
    const tried = this.#tried.has(attempt) ? columnsIn(body) : [];
    const last = this.#readings.get(name)?.findLast(({ moment }) => moment < arrived.moment);
    const known = last?.differences ?? [];
    // Nobody can tell an attempt that never arrived from one of which nothing is left. Pixels are stored after the rest.
    const [planned, read] = [this.#tried.get(attempt), last?.columns];
    const isUndone = tried.every((column) => column === "pixels" || planned?.get(column) === read?.get(column));
    const isKept = (column: string): boolean =>
      isUndone || [was.get(name), read].some((columns) => columns?.get(column) === is.get(name)?.get(column));
    const changedBefore = known.filter((column) => !tried.includes(column) || !isKept(column));
    if (method === "PUT" && changedBefore.length > 0)
      this.problems.push(
        `${attempt} was sent, although it was not as planned when last read: ${changedBefore.join(", ")}`,
      );
    if (method === "PUT" && this.#isTimed && arrived.at - (last?.at ?? 0) > 10_000)
      this.problems.push(`${attempt} was sent more than 10 seconds after its row was read`);
    const rows = new Set<string>();
    for (const one of new Set([...was.keys(), ...is.keys()])) {
      const [then, now] = [was.get(one), is.get(one)];
      const changed = differencesBetween(then, now);
      if (changed.length === 0) continue;
      rows.add(one);
      const isEnded = then !== undefined && (now === undefined || (one.startsWith("link") && ends(then, now)));
      if (isEnded) {
        this.counts.ended += 1;
        const seen = this.#lastRead.get(one) ?? ["it was not read directly before"];
        const moved = seen.filter(
          (column) => !tried.includes(column) || !(isUndone || then?.get(column) === now?.get(column)),
        );
        if (moved.length > 0)
          this.problems.push(
            `${method} ${name} ${now === undefined ? "deleted" : "ended"} ${one}, which was not as planned: ${moved.join(", ")}`,
          );
        const users = one.startsWith("pixel") ? (this.#users.get(Number(one.split(" ")[1])) ?? null) : [];
        if (users === null) this.problems.push(`${method} ${name}: nobody asked which links use it`);
        else if (users.length > 0) this.problems.push(`${method} ${name}: the links ${users.join(", ")} used it`);
      }
      // linkform's own writes count as planned from then on.
      const shown = new Map(this.#shown.get(one) ?? now);
      for (const column of changed) if (then !== undefined) shown.set(column, now?.get(column) ?? "");
      if (now === undefined) this.#shown.delete(one);
      else this.#shown.set(one, shown);
    }
    if (rows.size > 0) this.#other?.noteOther(rows, after);
    // The same applies to a field that someone else had set to the same value just before.
    const [sent, now] = [this.#shown.get(name), is.get(name)];
    if (method === "PUT" && isDone && sent !== undefined && now !== undefined)
      this.#shown.set(
        name,
        new Map([...sent, ...columnsIn(body).map((column) => [column, now.get(column) ?? ""] as const)]),
      );
    this.#lastRead.delete(name);
    this.#users.delete(Number(name.split(" ")[1]));
  }

  async #writeForeign(write: ForeignWrite): Promise<void> {
    const before = this.#sandbox.state();
    for (const [method, path, form] of callsOf(write, before, this.#disturbances.planned))
      await send({ sandbox: this.#sandbox }, method, path, form === undefined ? form : onWire(path, form));
    const after = this.#sandbox.state();
    this.#remember(after);
    const [was, is] = [columnsOf(before), columnsOf(after)];
    const rows = [...new Set([...was.keys(), ...is.keys()])].filter(
      (name) => differencesBetween(was.get(name), is.get(name)).length > 0,
    );
    if (rows.length === 0) return;
    this.counts.foreign += 1;
    this.#written.push({ at: this.#index, rows: new Set(rows) });
    this.#other?.noteOther(new Set(rows), after);
  }

  /** The other run, or someone else during it, wrote to these records. It may go on after this run. */
  noteOther(rows: ReadonlySet<string>, after: State): void {
    this.counts.foreign += 1;
    this.#remember(after);
    this.#written.push({ at: this.#index + 1, rows });
  }

  #remember({ links, pixels, domains }: State): void {
    const names = new Map(domains.map(({ id, name }) => [id, name]));
    const add = (key: string, row: string): void => {
      this.#holders.set(key, (this.#holders.get(key) ?? new Set()).add(row));
    };
    for (const { id, domain, alias } of links) add(keyOf("link", `${names.get(domain)}/${alias}`), `link ${id}`);
    for (const { id, name } of pixels) add(keyOf("pixel", name), `pixel ${id}`);
  }
}

/** The resource that a request is about; no `list` if it is another one. */
function targetOf(url: string): { readonly kind: Kind; readonly list?: "links" | "pixels"; readonly id?: string } {
  const [, list, id] = /\/(links|pixels)(?:\/(\d+))?(?:\/destroy)?(?:\?|$)/.exec(url) ?? [];
  if (list !== "links" && list !== "pixels") return { kind: "link" };
  return { kind: list === "links" ? "link" : "pixel", list, ...(id === undefined ? {} : { id }) };
}

function attemptOf({ method, url, body }: Asked): string {
  const { kind, id } = targetOf(url);
  return `${method} ${kind} ${id} ${body.toString()}`;
}

function keyOf(kind: Kind, key: string): string {
  return `${kind} ${fold(key)}`;
}

/** Each record as text by column, without columns that are not fields. Secrets are only set or unset. */
function columnsOf({ links, pixels }: State): Map<string, Columns> {
  const columns = (row: Link | Pixel): Columns => {
    const { id: _id, created_at: _created, updated_at: _updated, ...rest } = row;
    const fields = Object.entries(rest).flatMap(([column, value]): [string, string][] => {
      if (column === "title" || column === "last_rotation") return [];
      // This version returns one group, which can be stored in any of these columns.
      if (testSoftware === "49" && GROUPS.includes(column)) return [];
      if (testSoftware === "49" && column === "targets" && "targets" in row)
        return [[column, JSON.stringify(targetsOf(row))]];
      // A period that started long ago is the same as one without a start.
      if (column === "starts_at" && /^(null|"1970-01-0)/.test(JSON.stringify(value))) return [];
      if (column === "password" || column === "privacy_password") return [[column, `${value !== null}`]];
      return [[column, JSON.stringify(column === "expiration_clicks" ? (value ?? 0) : value)]];
    });
    return new Map(fields);
  };
  return new Map([
    ...links.map((row) => [`link ${row.id}`, columns(row)] as const),
    ...pixels.map((row) => [`pixel ${row.id}`, columns(row)] as const),
  ]);
}

const GROUPS = ["country", "platform", "language", "rotation"];

function columnsIn(body: string): string[] {
  const names = [...ownForm(body).keys()].map((name) => name.split("[")[0] ?? name);
  return names.flatMap((name) => {
    if (["expiration_date", "expiration_time", "starts_at"].includes(name)) return ["ends_at"];
    // The type and the entries are one field.
    return testSoftware === "49" && ["target_type", "targets"].includes(name) ? ["target_type", "targets"] : [name];
  });
}

/** The columns that differ, without clicks, which visitors change. */
function differencesBetween(a: Columns | undefined, b: Columns | undefined): string[] {
  if (a === undefined || b === undefined) return a === b ? [] : [a === undefined ? "it is new" : "it is gone"];
  return [...a.keys()].filter((column) => column !== "clicks" && a.get(column) !== b.get(column));
}

/** Whether a short URL that worked no longer works. */
function ends(was: Columns, is: Columns): boolean {
  const key = (row: Columns): string => fold(`${row.get("domain")}/${row.get("alias")}`);
  return works(was) && (!works(is) || key(was) !== key(is));
}

function works(row: Columns): boolean {
  const [endsAt, most, clicks] = ["ends_at", "expiration_clicks", "clicks"].map((column): unknown =>
    JSON.parse(row.get(column) ?? "null"),
  );
  const isOver = typeof endsAt === "string" && Date.parse(endsAt) <= Date.parse(NOW);
  return row.get("disabled") === "0" && !isOver && !(Number(most) > 0 && Number(clicks) >= Number(most));
}

type Calls = readonly (readonly [method: string, path: string, form?: string])[];

/** The request of a foreign write. */
function callsOf({ does, to, row }: ForeignWrite, state: State, planned: Disturbances["planned"]): Calls {
  const all = [
    ...state.links.map(({ id }) => ({ kind: "link", id }) as const),
    ...state.pixels.map(({ id }) => ({ kind: "pixel", id }) as const),
  ];
  const among = (changes: readonly PlannedChange[]): typeof all =>
    all.filter(({ kind, id }) => changes.some((one) => one.kind === kind && one.id === id));
  const changed = among(planned);
  const aims = { ending: among(planned.filter(({ isEnding }) => isEnding)), planned: changed, any: all };
  const target = nth(aims[to], row);
  if (does === "take a key") {
    const [domain = "", alias = ""] = (nth(planned, row)?.key ?? "").split("/");
    const on = state.domains.find(({ name }) => name === domain)?.id ?? 2;
    return [
      ["POST", "/api/v1/links", formOf({ domain: `${on}`, alias: alias === "" ? "theirs" : alias, url: STRANGE })],
    ];
  }
  if (does === "use a pixel") {
    const pixels = changed.filter(({ kind }) => kind === "pixel");
    const pixel = to === "any" ? nth(state.pixels, row) : nth(pixels, row);
    const link = nth(state.links, row);
    if (pixel === undefined || link === undefined) return [];
    const used = [...new Set([...link.pixels, pixel.id])].map((id) => `pixels[]=${id}`).join("&");
    return [["PUT", `/api/v1/links/${link.id}`, used]];
  }
  if (target === undefined) return [];
  const path = `/api/v1/${target.kind}s/${target.id}`;
  if (does === "delete") return [["DELETE", path]];
  const pixel = state.pixels.find(({ id }) => target.kind === "pixel" && id === target.id);
  if (pixel !== undefined) {
    const { name, type, value } = pixel;
    if (does === "make anew")
      return [
        ["DELETE", path],
        ["POST", "/api/v1/pixels", formOf({ name, type, value })],
      ];
    return [["PUT", path, does === "rename" ? formOf({ name: `Theirs ${row}` }) : formOf({ value: `7${row}` })]];
  }
  const link = state.links.find(({ id }) => id === target.id);
  if (link === undefined) return [];
  if (does === "make anew") {
    const { domain, alias } = link;
    return [
      ["DELETE", path],
      ["POST", "/api/v1/links", formOf({ domain: `${domain}`, alias, url: STRANGE })],
    ];
  }
  return [["PUT", path, FORMS[does](row)]];
}

const FORMS: Readonly<
  Record<Exclude<ForeignWrite["does"], "delete" | "make anew" | "use a pixel" | "take a key">, (row: number) => string>
> = {
  rename: (row) => formOf({ alias: `theirs-${row}` }),
  redirect: (row) => formOf({ url: `${STRANGE}/${row}` }),
  "set a password": () => formOf({ password: "theirs" }),
  "clear the password": () => formOf({ password: "" }),
  disable: () => formOf({ disabled: "1" }),
  enable: () => formOf({ disabled: "0" }),
  "expire later": () => formOf({ expiration_date: "2027-05-05", expiration_time: "10:00" }),
  "expire now": () => formOf({ expiration_date: "2021-05-05", expiration_time: "10:00" }),
};

/** Pixels have the same names in all versions. */
const onWire = (path: string, form: string): string => (path.includes("/pixels") ? form : wireForm(form));

function formOf(fields: Readonly<Record<string, string>>): string {
  return new URLSearchParams(fields).toString();
}

function nth<Item>(items: readonly Item[], at: number): Item | undefined {
  return items[at % items.length];
}
