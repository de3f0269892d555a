// The client against the responses of running instances of the service (transcripts/, one recording of each version): a small server
// replays every exchange, and the real client reads it.

import { describe, expect, test } from "vitest";
import type { LiveRecord } from "../../src/domain/live.ts";
import { SOFTWARE, type Software } from "../../src/domain/software.ts";
import { FIELDS, type ResourceKind } from "../../src/domain/table.ts";
import type { Value } from "../../src/domain/value.ts";
import { wireOf } from "../../src/domain/wire.ts";
import { ServiceError } from "../../src/errors.ts";
import { encodeForm } from "../../src/service/form.ts";
import { decodePage } from "../../src/service/page.ts";
import { decodeRow } from "../../src/service/wire.ts";
import { EVERY_OPTION, MINIMAL, PLATFORMS, SPRING, THREE_GROUPS } from "../service/recorded-rows.ts";
import { type Asked, connect, type Connected, JUST_READ, startServer } from "../service/server.ts";
import { recorded, type Exchange } from "./transcript.ts";

interface Replay extends Connected {
  readonly asked: readonly Asked[];
}

/**
 * The links of a page as the service gives them for the client's requests: from version 44 on they repeat `domain_id`, which the recorded
 * requests did not send.
 */
function withEcho(json: unknown, software: Software): unknown {
  if (software === "4.1" || software === "4.9") return json;
  return JSON.parse(JSON.stringify(json ?? null).replaceAll("/links?search", "/links?domain_id=0&search"));
}

/** The real client, and a server that sends these recorded responses in order: status, headers and body. */
async function replay(exchanges: readonly Exchange[], software: Software): Promise<Replay> {
  const running = await startServer(() => {
    const { status, headers, json, text } = exchanges[running.asked.length - 1]?.response ?? {
      status: 599,
      headers: {},
    };
    return { status, headers, body: text ?? JSON.stringify(withEcho(json, software)) };
  });
  // The recordings have this instead of the key.
  return {
    ...connect(running.url, { apiKey: "<API_KEY>", software: { version: software, from: "the test" } }),
    asked: running.asked,
  };
}

/** A row as one object: its values and references by path, without the fields that its version does not have. */
function flat(record: LiveRecord | null): unknown {
  if (record === null) return null;
  const clicks = record.kind === "link" ? { clicks: record.clicks } : {};
  const all = { ...Object.fromEntries(record.values), ...Object.fromEntries(record.references) };
  const absent = new Set(
    FIELDS[record.kind].flatMap((field) => (wireOf(field, record.software) === null ? field.path : [])),
  );
  const had = Object.entries(all).filter(([path]) => !absent.has(path));
  return { id: record.id, ...clicks, ...Object.fromEntries(had) };
}

/** The outcome of a call: its result, or the content of its error. */
async function outcomeOf(call: Promise<unknown>): Promise<unknown> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { code, status, mayHaveActed, refusals } = error;
    const words = refusals.map(({ wire, messages }) => `${wire}: ${messages.join(" ")}`);
    const said = refusals.length > 0 ? words : /: (.*)$|$/.exec(error.message)?.[1];
    return { code, status, mayHaveActed, said };
  }
}

const CODES: Readonly<Record<number, string>> = { 401: "unauthenticated", 404: "not-found", 422: "refused" };

/** A recorded refusal (4xx): the service did not act. `said` is its words, or `field: words` for each field. */
function refusal({ response: { status, json } }: Exchange): unknown {
  const { message }: { readonly message: string | Readonly<Record<string, readonly string[]>> } = Object(json);
  const ofFields = Object.entries(message).map(([wire, words]) => `${wire}: ${[words].flat().join(" ")}`);
  return { code: CODES[status], status, mayHaveActed: false, said: typeof message === "string" ? message : ofFields };
}

/** A call of the client, which gets the response of an exchange, and its expected outcome: a value, or the recorded refusal. */
type Case = readonly [does: (replay: Replay, exchange: Exchange) => Promise<unknown>, gives: unknown];

function show(kind: ResourceKind, id: number, gives: unknown): Case {
  return [async ({ client }) => flat(await client.show(kind, id)), gives];
}

/** Sends the recorded body. The client uses only the id of the returned record. */
function store(kind: ResourceKind, gives: unknown): Case {
  return [({ client }, { request }) => client.store(kind, request.body ?? ""), gives];
}

function update(kind: ResourceKind, id: number, gives?: unknown): Case {
  return [({ client }, { request }) => client.update(kind, id, request.body ?? "", ...JUST_READ), gives];
}

function list(kind: ResourceKind, gives: unknown): Case {
  return [async ({ client }) => (await client.list(kind)).records.map(({ id }) => id), gives];
}

/** A page that was recorded with parameters that the client does not use. It is decoded alone. */
function page(current: number, last: number, total: number, ids: readonly number[], software: Software): Case {
  const read = ({ response }: Exchange): unknown => {
    const { rows, number, parameters: _, ...rest } = decodePage("links", { json: response.json });
    return { ...rest, current: number, ids: rows.map((row) => decodeRow("link", row, software).id) };
  };
  return [async (_replay, exchange) => read(exchange), { current, last, total, ids }];
}

const ONE_TO_TEN = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

/** A row of the recordings as a version has it: 49 has more fields, and only the active target group. */
function asIn(software: Software, row: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (software !== "49") return row;
  const { disabled: _, ...others } = row;
  const groups = Object.keys(others).filter((path) => path.startsWith("targeting.") && path !== "targeting.active");
  const idle = groups.filter((path) => path !== `targeting.${String(row["targeting.active"])}`);
  return {
    ...others,
    ...Object.fromEntries(idle.map((path) => [path, []])),
    sensitive: false,
    "expiration.start": row["expiration.date"] === null ? null : "2026-11-01T00:00:00Z",
    "targeting.continent": [],
    "targeting.browser": [],
    "targeting.device": [],
  };
}

function casesOf(software: Software): Readonly<Record<string, Case>> {
  const isOld = software === "4.1" || software === "4.9";
  const link = (row: Readonly<Record<string, unknown>>): unknown => asIn(software, row);
  return {
    "links: empty list": list("link", []),
    "pixels: empty list": list("pixel", []),
    "pixel: store": store("pixel", 1),
    "pixel: store second": store("pixel", 2),
    "pixel: show": show("pixel", 1, { id: 1, name: "Meta main", type: "facebook", value: "1234567890123456" }),
    "pixel: store, name taken": store("pixel", refusal),
    "pixel: store, type and value refused": store("pixel", refusal),
    "pixel: update": update("pixel", 2),
    "pixel: show after update": show("pixel", 2, {
      id: 2,
      name: "GA4",
      type: "google-analytics",
      value: "G-ZZZZZ99999",
    }),
    "link: store with the required fields only": store("link", 1),
    "link: show, required fields only": show("link", 1, link(MINIMAL)),
    "link: store with every option": store("link", 2),
    "link: show, every option": show("link", 2, link(EVERY_OPTION)),
    "link: store, alias taken on the domain": store("link", refusal),
    "link: store, several fields refused": store("link", refusal),
    "link: update one field": update("link", 2),
    "link: show after updating one field": show("link", 2, link({ ...EVERY_OPTION, "expiration.clicks": 9000 })),
    "link: update, platform targeting": update("link", 1),
    "link: show, platform targeting": show(
      "link",
      1,
      link({ ...MINIMAL, ...PLATFORMS, "targeting.active": "platform" }),
    ),
    "link: update, language targeting": update("link", 1),
    "link: update, rotation": update("link", 1),
    "link: show, three target groups stored": show("link", 1, link(THREE_GROUPS)),
    "link: update, clear everything": update("link", 2),
    "link: show, everything cleared": show("link", 2, link(SPRING)),
    "link: update, time without date refused": update("link", 2, refusal),
    "link: update, alias renamed": update("link", 2),
    "link: update, domain is ignored": update("link", 2),
    "links: first page of several": page(1, 2, 14, ONE_TO_TEN, software),
    "links: last page": page(2, 2, 14, [11, 12, 13, 14], software),
    "links: past the last page": page(9, 2, 14, [], software),
    // The recording of 4.9 was made with `by`, which that version ignores.
    "links: search by alias": software === "4.9" ? page(1, 1, 0, [], software) : page(1, 1, 3, [14, 13, 4], software),
    // The recording kept one of the ten rows.
    "links: per_page out of range": page(1, 2, 14, [1], software),
    // 49 ignores the filter.
    "links: disabled only, none":
      software === "49" ? page(1, 2, 14, [14, 13, 12, 11, 10, 9, 8, 7, 6, 5], software) : list("link", []),
    "link: unknown id": show("link", 999_999, null),
    "link: update unknown id": update("link", 999_999, refusal),
    "link: delete again": [({ client }) => client.delete("link", 2, () => undefined), false],
    "bad key": list("link", refusal),
    "no key": list("link", refusal),
    "bad key, no JSON in Accept": list("link", {
      code: "redirect",
      status: 302,
      mayHaveActed: true,
      said: undefined,
    }),
    "unknown id on update, no JSON in Accept": update(
      "link",
      999_999,
      isOld ? { code: "not-json", status: 404, mayHaveActed: false, said: '"Not Found"' } : refusal,
    ),
    account: [({ client }) => client.account(), { id: "2", zone: "UTC" }],
    domains: [
      ({ client }) => client.names("domains"),
      [
        { id: 2, name: "go.example.test" },
        { id: 3, name: "promo.example.test" },
      ],
    ],
    spaces: [
      ({ client }) => client.names("spaces"),
      [
        { id: 1, name: "Marketing" },
        { id: 2, name: "Sales" },
      ],
    ],
  };
}

/** Exchanges that belong together. The client has them with the sandbox, which gives the same responses (sandbox.test.ts). */
const TOGETHER = [
  "link: delete on the documented path",
  "link: delete under api/v1",
  "pixel: delete on the documented path",
  "pixel: delete under api/v1",
  "over the rate limit",
];

/** A request line without the query (the client always sorts by id and requests a hundred), and with the PUT that the client sends. */
function comparable(line: string): string {
  return line.replace(/\?.*$/, "").replace(/^PATCH /, "PUT ");
}

describe.each(SOFTWARE)("the client against %s", (software) => {
  const exchanges = recorded(software);
  const cases = casesOf(software);
  const named = (...wanted: readonly string[]): Exchange[] =>
    wanted.flatMap((name) => exchanges.find((exchange) => exchange.name === name) ?? []);

  // Fails if a recording has an exchange without a case, or if a name is misspelled.
  test("every exchange is read", () => {
    expect([...Object.keys(cases), ...TOGETHER].toSorted()).toEqual(exchanges.map(({ name }) => name).toSorted());
  });

  // Fails if a field is read from another name, in another form, or not at all, if an echo is trusted, if a refusal loses its code, fields
  // or messages, or if a request has another method, path, header or body than the recorded one.
  test.each(Object.entries(cases))("%s", async (name, [does, gives]) => {
    for (const exchange of named(name)) {
      const replayed = await replay([exchange, exchange], software);
      expect(await outcomeOf(does(replayed, exchange))).toEqual(gives === refusal ? refusal(exchange) : gives);
      const [asked] = replayed.asked;
      if (asked === undefined) continue;
      const { method, path, headers, body } = exchange.request;
      if (name !== "link: delete again")
        expect(comparable(`${asked.method} ${asked.path}`)).toBe(comparable(`${method} ${path}`));
      expect(asked.headers).toMatchObject({ accept: "application/json", authorization: "Bearer <API_KEY>" });
      expect(asked.headers["content-type"]).toBe(headers["Content-Type"]);
      expect(asked.body).toBe(body ?? "");
    }
  });

  // Fails if a field is sent under another name or in another form than the service accepted.
  test.each(WRITTEN)("%s: the same form from the values that are shown later", (name, shown, others) => {
    const [written, read] = named(name, shown);
    const kind = name.startsWith("pixel") ? "pixel" : "link";
    const { data }: { readonly data?: unknown } = Object(read?.response.json);
    const { values, references } = decodeRow(kind, data, software);
    const sent = new URLSearchParams(written?.request.body ?? "");
    const names = new Set([...sent.keys()].map((one) => one.split("[")[0]));
    const fields = FIELDS[kind].flatMap((field) => {
      if (!names.has(wireOf(field, software)?.sent)) return [];
      const linked = references.get(field.path)?.map((one) => one.name);
      const value = field.kind === "reference" ? linked?.[0] : (linked ?? values.get(field.path));
      return [{ path: field.path, after: others[field.path] ?? value ?? null }];
    });
    const byName = (pairs: URLSearchParams): unknown => [...pairs].toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    expect(byName(new URLSearchParams(encodeForm(kind, fields, software, CONTEXT)))).toEqual(byName(sent));
  });
});

const CONTEXT = {
  references: {
    domains: new Map([["go.example.test", 2]]),
    spaces: new Map([["Marketing", 1]]),
    pixels: new Map([
      ["meta main", 1],
      ["ga4", 2],
    ]),
  },
  zones: { files: "UTC", account: "UTC" },
  secret: (path: string) => (path === "password" ? "s3cret" : "st4ts"),
  current: () => undefined,
};

/** Each recorded write, the later exchange that shows its values, and the values that this one shows otherwise. */
const WRITTEN: readonly (readonly [string, string, Readonly<Record<string, Value>>])[] = [
  ["pixel: store", "pixel: show", {}],
  ["pixel: update", "pixel: show after update", {}],
  ["link: store with the required fields only", "link: show, required fields only", {}],
  ["link: store with every option", "link: show, every option", {}],
  ["link: update one field", "link: show after updating one field", {}],
  [
    "link: update, platform targeting",
    "link: show, platform targeting",
    // As sent. Rows are read in a sorted order.
    {
      "targeting.platform": [
        ["iOS", "https://example.com/ios"],
        ["OS X", "https://example.com/mac"],
      ],
    },
  ],
  [
    "link: update, language targeting",
    "link: show, three target groups stored",
    { "targeting.active": "language", "targeting.language": [["de", "https://example.com/de"]] },
  ],
  ["link: update, rotation", "link: show, three target groups stored", {}],
  ["link: update, clear everything", "link: show, everything cleared", {}],
  ["link: update, alias renamed", "link: show, everything cleared", { alias: "spring-sale-2027" }],
];
