// Random accounts and files: after an apply and its undo, the account is as before, except for the reported losses. After an undo of
// the undo, it is as the apply left it. Fails if a field is missing in a record, is restored wrongly or in another record,
// if protection is lost, or if anything else changes. Changes that someone made in between are kept.

import fc from "fast-check";
import { expect, it } from "vitest";
import { apply, undo } from "../../src/cli/apply.ts";
import type { ApplyDocument } from "../../src/report/json/schema.ts";
import { fold } from "../../src/sandbox/fold.ts";
import type { Sandbox, State } from "../../src/sandbox/index.ts";
import { account, projectOf, seedOf, type Account } from "../support/random-account.ts";
import { startSandbox } from "../support/sandbox.ts";
import { runIn, temporaryFolder, writeFiles } from "../support/scenario.ts";
import { runs } from "../support/states.ts";
import { send } from "../support/through.ts";
import { columnOf, notAsBefore, withSecrets } from "../support/undone.ts";

/** The skipped changes of an undo, by object: the paths of its fields; none for the whole object. */
function leftOf({ undo: undone }: ApplyDocument): Map<string, readonly string[]> {
  const left = new Map<string, readonly string[]>();
  for (const { kind, key, previous_key, fields } of undone?.left ?? []) {
    for (const one of [key, previous_key ?? key].map((text) => `${kind} ${fold(text)}`)) {
      const known = left.get(one);
      left.set(one, known?.length === 0 || fields.length === 0 ? [] : [...(known ?? []), ...fields]);
    }
  }
  return left;
}

/** An object that keeps its key from the apply is not found by its former key. */
function excusedBy(left: ReadonlyMap<string, readonly string[]>): Map<string, readonly string[]> {
  const isKey = (path: string): boolean => path === "alias" || path === "name";
  return new Map([...left].map(([key, paths]) => [key, paths.some(isKey) ? [] : paths]));
}

interface Applied {
  readonly sandbox: Sandbox;
  /** The account before and after the apply. */
  readonly before: State;
  readonly between: State;
  /** Undoes a record into another one. `text` is the text of all unknown passwords; null if nobody knows them. */
  readonly undo: (
    from: string,
    to: string | false,
    text: string | null,
  ) => Promise<{ readonly exit: number; readonly document: ApplyDocument }>;
}

/** Applies the files of an account. Returns null if that changes nothing, else what `check` returns. */
async function afterApply<Result>(
  folder: string,
  input: Account,
  check: (applied: Applied) => Promise<Result>,
): Promise<Result | null> {
  const sandbox = await startSandbox({ rateLimit: 0, software: input.software, seed: seedOf(input) });
  try {
    await writeFiles(folder, { "linkform.yaml": JSON.stringify(projectOf(sandbox.url, input)) });
    const env = { LINKFORM_API_KEY: sandbox.apiKey, LINKFORM_SECRET_A: "secret" };
    const flags = { yes: true, quiet: true, format: ["json"] };
    const before = sandbox.state();
    const { exit, out } = await runIn(folder, env, (world) => apply(world, { ...flags, record: "applied.json" }));
    // Without a change, there is no record.
    if (exit !== 0 || JSON.parse(out).record === null) return null;
    const undoing: Applied["undo"] = async (from, record, text) => {
      const ran = await runIn(folder, withSecrets(env, text), (world) => undo(world, { ...flags, record }, from));
      const document: ApplyDocument = JSON.parse(ran.out);
      expect(document.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
      return { exit: ran.exit, document };
    };
    return await check({ sandbox, before, between: sandbox.state(), undo: undoing });
  } finally {
    await sandbox.close();
  }
}

async function checkUndo(
  { sandbox, before, between, undo: undoing }: Applied,
  hasSecrets: boolean,
): Promise<"undone" | "partly"> {
  const undone = await undoing("applied.json", "undone.json", hasSecrets ? "old" : null);
  const left = leftOf(undone.document);
  expect(undone.exit).toBe(left.size === 0 ? 0 : undone.document.changes.length === 0 ? 1 : 4);
  const after = sandbox.state();
  expect(notAsBefore(before, after, { textsOfSecrets: hasSecrets, left: excusedBy(left) })).toEqual([]);
  expect(openedLinks(before, between, after)).toEqual([]);
  // Skipped fields are as the apply left them.
  for (const [key, row] of rowsByKey(between)) {
    const paths = left.get(key);
    const now = rowsByKey(after).get(key);
    if (paths?.length === 0) expect(now).toEqual(row);
    for (const column of (now === undefined ? [] : (paths ?? [])).map(columnOf))
      expect([key, column, Reflect.get(now ?? {}, column)]).toEqual([key, column, Reflect.get(row, column)]);
  }

  if (undone.document.record === null) return "partly";
  const redone = await undoing("undone.json", "redone.json", "secret");
  const leftAgain = leftOf(redone.document);
  const excused = { textsOfSecrets: false, left: excusedBy(leftAgain) };
  expect(notAsBefore(between, sandbox.state(), excused)).toEqual([]);
  return left.size === 0 && leftAgain.size === 0 ? "undone" : "partly";
}

type LinkRow = State["links"][number];

/** What keeps visitors from a destination, or from statistics. */
const PROTECTIONS: readonly ((row: LinkRow) => boolean)[] = [
  ({ password }) => password !== null,
  ({ disabled }) => Boolean(disabled),
  ({ ends_at }) => ends_at !== null,
  ({ expiration_clicks }) => (expiration_clicks ?? 0) > 0,
  ({ privacy }) => privacy !== 0,
];

/** The links that the undo gave their destination back, or took a protection from, although they had a protection before that they lack now. */
function openedLinks(before: State, between: State, after: State): string[] {
  return before.links.flatMap((was) => {
    const now = after.links.find((row) => row.domain === was.domain && fold(row.alias) === fold(was.alias));
    const then = between.links.find(({ id }) => id === now?.id);
    if (now === undefined || JSON.stringify(then) === JSON.stringify(now)) return [];
    const isBack = now.url === was.url && then?.url !== now.url;
    const isFreed = then !== undefined && PROTECTIONS.some((has) => has(then) && !has(now));
    const isOpen = PROTECTIONS.some((has) => has(was) && !has(now));
    return (isBack || isFreed) && isOpen ? [`${JSON.stringify(was)} is ${JSON.stringify(now)}`] : [];
  });
}

function rowsByKey({ links, pixels, domains }: State): Map<string, object> {
  const names = new Map(domains.map(({ id, name }) => [id, name]));
  return new Map<string, object>([
    ...pixels.map((row) => [`pixel ${fold(row.name)}`, row] as const),
    ...links.map((row) => [`link ${names.get(row.domain)}/${fold(row.alias)}`, row] as const),
  ]);
}

it("an undo restores the account, and an undo of the undo restores the applied state", async () => {
  const folder = await temporaryFolder();
  const endings = { undone: 0, partly: 0, nothing: 0 };
  await fc.assert(
    fc.asyncProperty(account, fc.boolean(), async (input, hasSecrets) => {
      endings[(await afterApply(folder, input, (applied) => checkUndo(applied, hasSecrets))) ?? "nothing"] += 1;
    }),
    { numRuns: runs(120), endOnFailure: false },
  );
  // The property means little if most runs change nothing.
  expect(endings.undone).toBeGreaterThan(endings.nothing);
  expect(endings.partly).toBeGreaterThan(0);
});

const STRANGE = "https://example.com/strange";

/** Manual changes to the existing links, one after the other, and whether new links take keys that became free. */
const manual = fc.record({
  does: fc.array(fc.constantFrom("nothing", "redirect", "delete", "set a password"), { minLength: 5, maxLength: 5 }),
  takesKeys: fc.boolean(),
});

it("an undo keeps changes that someone made after the apply", async () => {
  const folder = await temporaryFolder();
  let changed = 0;
  await fc.assert(
    fc.asyncProperty(account, manual, async (input, { does, takesKeys }) => {
      await afterApply(folder, input, async ({ sandbox, before, between, undo: undoing }) => {
        for (const [at, { id }] of between.links.entries()) {
          const act = does[at % does.length];
          const path = `/api/v1/links/${id}`;
          if (act === "delete") await send({ sandbox }, "DELETE", path);
          if (act === "redirect") await send({ sandbox }, "PUT", path, `url=${STRANGE}/${id}`);
          if (act === "set a password") await send({ sandbox }, "PUT", path, "password=theirs");
        }
        for (const { alias, domain } of takesKeys ? before.links : []) {
          const form = new URLSearchParams({ alias, domain: `${domain}`, url: STRANGE });
          await send({ sandbox }, "POST", "/api/v1/links", form.toString());
        }
        const strange = sandbox.state();
        await undoing("applied.json", false, "old");
        const after = sandbox.state();
        expect(openedLinks(before, strange, after)).toEqual([]);
        for (const row of strange.links) {
          const now = after.links.find(({ id }) => id === row.id);
          const was = between.links.find(({ id }) => id === row.id);
          // Manually created links and manually changed fields are the same as before the undo.
          if (was === undefined) expect(now).toEqual(row);
          else if (row.url.startsWith(STRANGE)) expect(now?.url).toBe(row.url);
          else if (row.password === "theirs" && was.password === null) expect(now?.password).toBe("theirs");
        }
        const deleted = between.links.filter(({ id }) => !strange.links.some((row) => row.id === id));
        for (const { id } of deleted) expect(after.links.map((row) => row.id)).not.toContain(id);
        changed += JSON.stringify(strange.links) === JSON.stringify(between.links) ? 0 : 1;
      });
    }),
    { numRuns: runs(80), endOnFailure: false },
  );
  expect(changed).toBeGreaterThan(10);
});
