// Random accounts and files: after an apply and its undo, the account is as before, except for the reported losses. After an undo of
// the undo, it is as the apply left it. Fails if a field is missing in a record, is restored wrongly or in another record,
// if protection is lost, or if anything else changes. Changes that someone made in between are kept.

import fc from "fast-check";
import { expect, it } from "vitest";
import { apply, undo } from "../../src/cli/apply.ts";
import type { ApplyDocument } from "../../src/report/json/schema.ts";
import { fold } from "../../src/sandbox/fold.ts";
import type { State } from "../../src/sandbox/index.ts";
import { account, projectOf, seedOf, type Account } from "../support/random-account.ts";
import { startSandbox } from "../support/sandbox.ts";
import { runIn, temporaryFolder, writeFiles } from "../support/scenario.ts";
import { runs } from "../support/states.ts";
import { send } from "../support/through.ts";
import { columnOf, notAsBefore, withSecrets } from "../support/undone.ts";

/** The skipped changes of an undo, by object: the paths of its fields; none for the whole object. */
function leftOf({ undo: told }: ApplyDocument): Map<string, readonly string[]> {
  const left = new Map<string, readonly string[]>();
  for (const { kind, key, previous_key, fields } of told?.left ?? []) {
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

async function check(folder: string, input: Account, hasSecrets: boolean): Promise<"undone" | "partly" | "nothing"> {
  const sandbox = await startSandbox({ rateLimit: 0, software: input.software, seed: seedOf(input) });
  try {
    await writeFiles(folder, { "linkform.yaml": JSON.stringify(projectOf(sandbox.url, input)) });
    const env = { LINKFORM_API_KEY: sandbox.apiKey, LINKFORM_SECRET_A: "secret" };
    const before = sandbox.state();
    const applied = await runIn(folder, env, (world) =>
      apply(world, { yes: true, quiet: true, record: "applied.json", format: ["json"] }),
    );
    if (applied.exit !== 0 || JSON.parse(applied.out).changes.length === 0) return "nothing";
    const between = sandbox.state();

    const undoing = async (
      from: string,
      to: string,
      text: string | null,
    ): Promise<{ exit: number; document: ApplyDocument }> => {
      const { exit, out } = await runIn(folder, withSecrets(env, text), (world) =>
        undo(world, { yes: true, quiet: true, record: to, format: ["json"] }, from),
      );
      return { exit, document: JSON.parse(out) };
    };
    const undone = await undoing("applied.json", "undone.json", hasSecrets ? "old" : null);
    const left = leftOf(undone.document);
    const told = { errors: undone.document.diagnostics.filter(({ severity }) => severity === "error") };
    expect({ exit: undone.exit, ...told }).toEqual({
      exit: left.size === 0 ? 0 : left.size > 0 && undone.document.changes.length === 0 ? 1 : 4,
      errors: [],
    });
    const after = sandbox.state();
    const problems = (
      was: State,
      is: State,
      excused: ReadonlyMap<string, readonly string[]>,
      textsOfSecrets: boolean,
    ): string[] => notAsBefore(was, is, { textsOfSecrets, left: excusedBy(excused) });
    expect(problems(before, after, left, hasSecrets)).toEqual([]);
    expect(openedLinks(before, between, after)).toEqual([]);
    // Skipped fields are as the apply left them.
    for (const [key, row] of rowsByKey(between)) {
      const paths = left.get(key);
      const now = rowsByKey(after).get(key);
      if (paths?.length === 0) expect(now).toEqual(row);
      for (const column of (now === undefined ? [] : (paths ?? [])).map(columnOf))
        expect([key, column, Reflect.get(now ?? {}, column)]).toEqual([key, column, Reflect.get(row, column)]);
    }

    // Without a change, there is no record.
    if (undone.document.record === null) return "partly";
    const redone = await undoing("undone.json", "redone.json", "secret");
    const leftAgain = leftOf(redone.document);
    expect(redone.document.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(problems(between, sandbox.state(), leftAgain, false)).toEqual([]);
    return left.size === 0 && leftAgain.size === 0 ? "undone" : "partly";
  } finally {
    await sandbox.close();
  }
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
      endings[await check(folder, input, hasSecrets)] += 1;
    }),
    { numRuns: runs(120), endOnFailure: false },
  );
  // The property means little if most runs change nothing.
  expect(endings.undone).toBeGreaterThan(endings.nothing);
  expect(endings.partly).toBeGreaterThan(0);
});

const STRANGE = "https://example.com/strange";

/** Manual changes to the existing links, one after the other, and whether new links take keys that became free. */
const meddling = fc.record({
  does: fc.array(fc.constantFrom("nothing", "leads elsewhere", "deletes", "sets a password"), {
    minLength: 5,
    maxLength: 5,
  }),
  takesKeys: fc.boolean(),
});

it("an undo keeps changes that someone made after the apply", async () => {
  const folder = await temporaryFolder();
  let meddled = 0;
  await fc.assert(
    fc.asyncProperty(account, meddling, async (input, { does, takesKeys }) => {
      const sandbox = await startSandbox({ rateLimit: 0, software: input.software, seed: seedOf(input) });
      try {
        await writeFiles(folder, { "linkform.yaml": JSON.stringify(projectOf(sandbox.url, input)) });
        const env = { LINKFORM_API_KEY: sandbox.apiKey, LINKFORM_SECRET_A: "secret" };
        const before = sandbox.state();
        const { exit, out } = await runIn(folder, env, (world) =>
          apply(world, { yes: true, quiet: true, record: "a.json", format: ["json"] }),
        );
        // Without changes, there is none.
        if (exit !== 0 || JSON.parse(out).record === null) return;
        const between = sandbox.state();
        const somebody = { sandbox, folder, env };
        for (const [at, { id }] of between.links.entries()) {
          const act = does[at % does.length];
          if (act === "deletes") await send(somebody, "DELETE", `/api/v1/links/${id}`);
          if (act === "leads elsewhere") await send(somebody, "PUT", `/api/v1/links/${id}`, `url=${STRANGE}/${id}`);
          if (act === "sets a password") await send(somebody, "PUT", `/api/v1/links/${id}`, "password=theirs");
        }
        if (takesKeys)
          for (const { alias, domain } of before.links)
            await send(
              somebody,
              "POST",
              "/api/v1/links",
              new URLSearchParams({ alias, domain: `${domain}`, url: STRANGE }).toString(),
            );
        const strange = sandbox.state();
        const ran = await runIn(folder, withSecrets(env, "old"), (world) =>
          undo(world, { yes: true, quiet: true, record: false, format: ["json"] }, "a.json"),
        );
        const { diagnostics }: ApplyDocument = JSON.parse(ran.out);
        expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
        const after = sandbox.state();
        expect(openedLinks(before, strange, after)).toEqual([]);
        const ids = new Set(after.links.map(({ id }) => id));
        for (const row of strange.links) {
          const now = after.links.find(({ id }) => id === row.id);
          // Manually created links and manually changed fields are the same as before the undo.
          if (!between.links.some(({ id }) => id === row.id)) expect(now).toEqual(row);
          else if (row.url.startsWith(STRANGE)) expect(now?.url).toBe(row.url);
          else if (row.password === "theirs" && between.links.find(({ id }) => id === row.id)?.password === null)
            expect(now?.password).toBe("theirs");
        }
        const isGone = between.links.filter(({ id }) => !strange.links.some((row) => row.id === id));
        for (const { id } of isGone) expect(ids.has(id)).toBe(false);
        meddled += JSON.stringify(strange.links) === JSON.stringify(between.links) ? 0 : 1;
      } finally {
        await sandbox.close();
      }
    }),
    { numRuns: runs(80), endOnFailure: false },
  );
  expect(meddled).toBeGreaterThan(10);
});
