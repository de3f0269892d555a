// Detects the version of the service by reading, and confirms it with every row that is read later.

import type { LiveRecord } from "../domain/live.ts";
import { SOFTWARE, type DeclaredSoftware, type DetectedSoftware, type Software } from "../domain/software.ts";
import type { ResourceKind } from "../domain/table.ts";
import { ServiceError } from "../errors.ts";
import { type Call, PATHS } from "./call.ts";
import { decodePage, type Page } from "./list.ts";
import type { RequestOutcome } from "./transport.ts";
import { decodeRow, keysOf, type SharedReferences } from "./wire.ts";

/** The list parameters that the links of a page repeat, and the versions that repeat them. Newer versions come first. */
const ECHOES: readonly (readonly [parameter: string, versions: readonly Software[]])[] = [
  ["domain_id", ["44", "49"]],
  ["search_by", ["4.9"]],
  ["by", ["4.1"]],
];

/** Parameters that change no list, and that each version repeats only if it knows them. */
export const PROBE: Readonly<Record<string, string | number>> = { domain_id: 0, by: "alias", search_by: "alias" };

/** The shortest list of links, for commands that read no other list of links. */
const SHORTEST_LIST: Call = { method: "GET", path: PATHS.link.resource, query: { ...PROBE, per_page: 10 } };

/** Statistics of a link that does not exist: version 44 checks the name first (422), version 49 checks the link first (404). */
const STATISTICS: Call = {
  method: "GET",
  path: "/api/v1/stats/0",
  query: { name: "operating_system", from: "2026-01-01", to: "2026-01-02" },
};

/** The version that is assumed if no response shows one: the documented interface. */
const DOCUMENTED: Software = "4.1";

/** The version of the service, as far as the responses of one run show it. */
export class Detection {
  readonly #declared: DeclaredSoftware | null;
  readonly #send: (call: Call) => Promise<RequestOutcome>;
  /** Versions that are still possible; null before a list of links is read, empty if the list shows no version. */
  #candidates: readonly Software[] | null = null;
  #pending: Promise<void> | null = null;
  readonly #references: SharedReferences = new Map();

  constructor(declared: DeclaredSoftware | null, send: (call: Call) => Promise<RequestOutcome>) {
    this.#declared = declared;
    this.#send = send;
  }

  /** Until the version is known, the documented one. */
  get current(): Software {
    return this.#declared?.version ?? this.#candidates?.[0] ?? DOCUMENTED;
  }

  /** The version. Sends a request if no list that was read shows it, and two if the account is empty. */
  async resolve(): Promise<DetectedSoftware> {
    if (this.#declared !== null) return { version: this.#declared.version, source: "declared" };
    while (this.#candidates === null || this.#candidates.length > 1) {
      this.#pending ??= this.#ask().finally(() => {
        this.#pending = null;
      });
      await this.#pending;
    }
    const [version] = this.#candidates;
    return version === undefined ? { version: DOCUMENTED, source: "assumed" } : { version, source: "detected" };
  }

  async #ask(): Promise<void> {
    if (this.#candidates === null) {
      const page = decodePage(SHORTEST_LIST.path, await this.#send(SHORTEST_LIST));
      this.observe(page);
      this.#candidates ??= [];
      return;
    }
    this.#candidates = (await this.#refusesStatistics()) ? ["44"] : ["49"];
  }

  async #refusesStatistics(): Promise<boolean> {
    try {
      await this.#send(STATISTICS);
    } catch (cause) {
      if (!(cause instanceof ServiceError)) throw cause;
      if (cause.status === 404) return false;
      if (cause.status === 422 && cause.refusals.some(({ wire }) => wire === "name")) return true;
      throw cause;
    }
    throw unknownSoftware("it returns statistics for a link that does not exist");
  }

  /** Learns from a page of links. Throws `ServiceError("unknown-software")` if it fits no version, or contradicts the declared one. */
  observe({ parameters, rows }: Page): void {
    if (this.#candidates !== null && this.#candidates.length <= 1) return;
    const shown = this.#candidates ?? versionsIn({ parameters });
    if (this.#declared !== null && shown.length > 0 && !shown.includes(this.#declared.version))
      throw contradiction(this.#declared, shown);
    const [row] = rows;
    // An empty page of no known version leaves the version to the next page.
    if (row === undefined && shown.length === 0) return;
    // A declared version is used even if links also have keys of other versions.
    const isShown = row === undefined || shown.length <= 1 || this.#declared !== null;
    this.#candidates = isShown ? shown : fitting(row, shown);
  }

  /** Decodes a row. Throws `ServiceError("unknown-software")` for keys of another version, and for an unknown mixture of keys. */
  decode(kind: ResourceKind, json: unknown): LiveRecord {
    return decodeRow(kind, json, kind === "link" ? this.#versionOf(json) : this.current, this.#references);
  }

  #versionOf(json: unknown): Software {
    if (this.#declared === null && this.#candidates === null) {
      // Any version that returns rows of this form is enough to read one before any list was read.
      const version = SOFTWARE.find((one) => keysOf("link", json, one).foreign.length === 0);
      if (version === undefined) throw unknownSoftware("a link has keys of several versions");
      return version;
    }
    const { own, foreign } = keysOf("link", json, this.current);
    const [key] = foreign;
    if (key !== undefined && this.#declared === null)
      throw unknownSoftware(`a link has the key \`${key}\`, which version ${this.current} does not return`);
    if (key !== undefined && this.#declared !== null && own.length === 0)
      throw contradiction(this.#declared, fitting(json, SOFTWARE));
    return this.current;
  }
}

/** The versions that a page of links can come from, by the parameters that it repeats. */
export function versionsIn({ parameters }: Pick<Page, "parameters">): readonly Software[] {
  return ECHOES.find(([parameter]) => parameters?.has(parameter) === true)?.[1] ?? [];
}

/** The versions that a link can come from: it has keys of these versions and no keys that only others have. */
function fitting(row: unknown, versions: readonly Software[]): Software[] {
  const found = versions.filter((version) => {
    const { own, foreign } = keysOf("link", row, version);
    return own.length > 0 && foreign.length === 0;
  });
  if (found.length > 0) return found;
  const { own, foreign } = keysOf("link", row, SOFTWARE[0]);
  const keys = [...own, ...foreign].map((key) => `\`${key}\``).join(", ");
  const has = keys === "" ? "none of the keys that differ between versions" : keys;
  throw unknownSoftware(`the keys of a link do not match version ${versions.join(" or ")}: it has ${has}`);
}

function unknownSoftware(because: string): ServiceError {
  return new ServiceError("unknown-software", `linkform does not know this version of the service: ${because}.`, {
    hint: `linkform knows the versions ${SOFTWARE.join(", ")}. If this is one of them, set \`service.software\` in the project file. Otherwise, open an issue with the output of \`linkform doctor\`.`,
    aftermath: "none",
  });
}

function contradiction({ version, from }: DeclaredSoftware, shown: readonly Software[]): ServiceError {
  const answers = shown.join(" or ");
  const message = `${from} declares version ${version} of the service, but the responses match version ${answers}.`;
  const hint = "Correct the declared version, or remove it: linkform detects the version.";
  return new ServiceError("unknown-software", message, { hint, aftermath: "none" });
}
