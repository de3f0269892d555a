// Merged pull and merge requests, their labels, and who may set them.

import * as z from "zod";
import { ForgeFailure, type Api } from "./api.ts";

/** A merged pull or merge request. */
export interface MergedRequest {
  readonly number: number;
  readonly labels: readonly string[];
}

/** A person who added a label; `id` is how the forge's API names them. */
export interface Person {
  readonly id: string;
  readonly login: string;
}

/** The requests of one repository or project. */
export interface Requests {
  /** How people write the number of a request: `#12` or `!12`. */
  readonly sign: "#" | "!";
  /** The requests with this commit that were merged into this branch. */
  readonly mergedWith: (commit: string, branch: string) => Promise<MergedRequest[]>;
  /** Who added each label last, by label. */
  readonly labeledBy: (number: number) => Promise<ReadonlyMap<string, Person>>;
  /** Whether a person may push to the repository. */
  readonly mayWrite: (person: Person) => Promise<boolean>;
  readonly labels: (number: number) => Promise<readonly string[]>;
  readonly changeLabels: (number: number, change: LabelChange) => Promise<void>;
}

export interface LabelChange {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

const named = z.object({ name: z.string() });

/** The pull requests of a repository, `owner/name`. */
export function gitHubRequests(api: Api, repository: string): Requests {
  const repo = `/repos/${repository}`;
  const pull = z.object({
    number: z.number(),
    merged_at: z.string().nullish(),
    base: z.object({ ref: z.string() }),
    labels: z.array(named),
  });
  const event = z.object({
    event: z.string(),
    label: named.optional(),
    actor: z.object({ login: z.string() }).nullish(),
  });
  const permission = z.object({ permission: z.string() });
  return {
    sign: "#",
    mergedWith: async (commit, branch) => {
      const pulls = rows(api, pull, await api.list(`${repo}/commits/${commit}/pulls`, {}));
      return pulls
        .filter(({ merged_at: merged, base }) => typeof merged === "string" && base.ref === branch)
        .map(({ number, labels }) => ({ number, labels: labels.map(({ name }) => name) }));
    },
    labeledBy: async (number) => {
      const events = rows(api, event, await api.list(`${repo}/issues/${number}/events`, {}));
      return new Map(
        events.flatMap(({ event: kind, label, actor }): [string, Person][] =>
          kind === "labeled" && label !== undefined && actor
            ? [[label.name, { id: actor.login, login: actor.login }]]
            : [],
        ),
      );
    },
    mayWrite: async ({ id }) => {
      try {
        const answer = await api.read(`${repo}/collaborators/${encodeURIComponent(id)}/permission`);
        // `maintain` is returned as `write`, and `triage` as `read`.
        return ["admin", "write"].includes(row(api, permission, answer).permission);
      } catch (cause) {
        if (cause instanceof ForgeFailure && cause.status === 404) return false;
        throw cause;
      }
    },
    labels: async (number) =>
      rows(api, named, await api.list(`${repo}/issues/${number}/labels`, {})).map(({ name }) => name),
    changeLabels: async (number, { add, remove }) => {
      const labels = `${repo}/issues/${number}/labels`;
      if (add.length > 0) await api.change("POST", labels, { labels: add });
      for (const name of remove) await api.change("DELETE", `${labels}/${encodeURIComponent(name)}`, undefined);
    },
  };
}

/** From this access level on, a member of a GitLab project may push: Developer. */
const DEVELOPER = 30;

/** The merge requests of a project. */
export function gitLabRequests(api: Api, project: string): Requests {
  const at = `/projects/${encodeURIComponent(project)}`;
  const merge = z.object({
    iid: z.number(),
    state: z.string(),
    target_branch: z.string(),
    labels: z.array(z.string()),
  });
  const event = z.object({
    action: z.string(),
    label: named.nullish(),
    user: z.object({ id: z.number(), username: z.string() }).nullish(),
  });
  const member = z.object({ access_level: z.number() });
  return {
    sign: "!",
    mergedWith: async (commit, branch) => {
      const merges = rows(api, merge, await api.list(`${at}/repository/commits/${commit}/merge_requests`, {}));
      return merges
        .filter(({ state, target_branch: target }) => state === "merged" && target === branch)
        .map(({ iid, labels }) => ({ number: iid, labels }));
    },
    labeledBy: async (number) => {
      const events = rows(api, event, await api.list(`${at}/merge_requests/${number}/resource_label_events`, {}));
      return new Map(
        events.flatMap(({ action, label, user }): [string, Person][] =>
          action === "add" && label && user ? [[label.name, { id: String(user.id), login: user.username }]] : [],
        ),
      );
    },
    mayWrite: async ({ id }) => {
      try {
        return row(api, member, await api.read(`${at}/members/all/${id}`)).access_level >= DEVELOPER;
      } catch (cause) {
        if (cause instanceof ForgeFailure && cause.status === 404) return false;
        throw cause;
      }
    },
    labels: async (number) =>
      row(api, merge.pick({ labels: true }), await api.read(`${at}/merge_requests/${number}`)).labels,
    changeLabels: async (number, { add, remove }) => {
      const change = { add_labels: add.join(","), remove_labels: remove.join(",") };
      await api.change("PUT", `${at}/merge_requests/${number}`, change);
    },
  };
}

function row<Row>(api: Api, schema: z.ZodType<Row>, answer: unknown): Row {
  const parsed = schema.safeParse(answer);
  if (!parsed.success) throw api.unexpected("a request about labels");
  return parsed.data;
}

function rows<Row>(api: Api, schema: z.ZodType<Row>, answers: readonly unknown[]): Row[] {
  return answers.map((answer) => row(api, schema, answer));
}
