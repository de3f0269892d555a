// `drift --shard`: plans one part of the links, and parses only the part of the files that it needs.

import { createHash } from "node:crypto";
import type { FileSource } from "../config/file-source.ts";
import { withNeededLinks } from "../config/link-blocks.ts";
import type { LiveState } from "../domain/live.ts";
import { keyText, type Project } from "../domain/project.ts";
import { isResponsible, type ShardNumber } from "../domain/shard.ts";
import { UserError } from "../errors.ts";
import type { CreatePlanOptions } from "../plan/plan.ts";
import { planShard } from "../plan/shard.ts";
import { packCreates } from "../render/json/creates.ts";
import type { Reader } from "../service/service.ts";
import type { ServiceFlags } from "./connect.ts";
import type { CommonFlags, World } from "./context.ts";
import type { CustomPlanner, PlanResult } from "./prepare.ts";
import { openBaseOf, openProject, type OpenedProject, type ReduceFiles } from "./project.ts";
import type { LogDetail } from "./read-links.ts";
import { readShard } from "./read-shard.ts";

export class ShardPlanner implements CustomPlanner {
  readonly readsItself = true;
  readonly #world: World;
  readonly #flags: CommonFlags & ServiceFlags & { readonly base?: string };
  readonly #shard: ShardNumber;
  readonly #detail: LogDetail;
  /** Hashes the files in the order in which they are read, which is the same in all parts. */
  readonly #hash = createHash("sha256");
  #opened: OpenedProject | null = null;

  constructor(
    world: World,
    flags: CommonFlags & ServiceFlags & { readonly base?: string },
    shard: ShardNumber,
    detail: LogDetail,
  ) {
    this.#world = world;
    this.#flags = flags;
    this.#shard = shard;
    this.#detail = detail;
  }

  /** Leaves out the links that this part is not responsible for. */
  readonly reduce: ReduceFiles = (files) => this.#with(files, (alias) => isResponsible(alias, this.#shard));

  async projectToRead(opened: OpenedProject, project: Project): Promise<Project> {
    this.#opened = opened;
    return project;
  }

  async plan(project: Project, _state: LiveState, reader: Reader, options: CreatePlanOptions): Promise<PlanResult> {
    const open = async (aliases: ReadonlySet<string>): Promise<Project> => this.#add(project, aliases);
    const reading = await readShard(project, open, reader, this.#shard, this.#detail);
    const plan = planShard(reading, this.#hash.digest("hex"), this.#shard, this.#world.now(), options, packCreates);
    return { project: reading.project, state: reading.state, plan };
  }

  #with(files: FileSource, isNeeded: (alias: string) => boolean): FileSource {
    return withNeededLinks(files, isNeeded, (file, text) => this.#hash.update(JSON.stringify([file, text])));
  }

  /** Adds the links of these folded aliases to a project. Throws a user error if the files have errors now. */
  async #add(project: Project, aliases: ReadonlySet<string>): Promise<Project> {
    const reduce: ReduceFiles = (files) =>
      this.#with(files, (alias) => aliases.has(alias) && !isResponsible(alias, this.#shard));
    const { base } = this.#flags;
    const added =
      base === undefined || this.#opened === null
        ? await openProject(this.#world, this.#flags, false, null, reduce)
        : await openBaseOf(this.#world, base, this.#opened, this.#flags, reduce);
    if (added.project === null)
      throw new UserError("shard-files", "The files have errors.", { hint: "Run `linkform validate` to see them." });
    const known = new Set(project.declarations.map(keyText));
    const others = added.project.declarations.filter((one) => !known.has(keyText(one)));
    return { ...project, declarations: [...project.declarations, ...others] };
  }
}
