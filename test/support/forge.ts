// A fake of GitHub and GitLab on 127.0.0.1 with one state: it lists, accepts and refuses comments and issues like their APIs, and records
// every request. GitHub's REST and GraphQL are at `url`, GitLab's API at `url/api/v4`.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { onTestFinished } from "vitest";
import { answerGitHub } from "./forge-github.ts";
import { answerGitLab } from "./forge-gitlab.ts";
import {
  ME,
  PROJECT_ID,
  REPOSITORY,
  TOKEN,
  type ForgePull,
  type ForgeRequest,
  type ForgeState,
  type Reply,
} from "./forge-state.ts";
import { bytesOf, listen } from "./http.ts";

export interface ForgeOptions {
  /** Existing comments; on request 1 and ours by default. */
  readonly comments?: readonly { readonly body: string; readonly author?: string; readonly on?: number }[];
  /** Existing issues; open and ours by default. */
  readonly issues?: readonly {
    readonly body: string;
    readonly title?: string;
    readonly author?: string;
    readonly state?: "open" | "closed";
  }[];
  /** Numbers of the existing pull or merge requests (default: 1). */
  readonly pulls?: readonly number[];
  /** Pull or merge requests with their commits; request 1 is open unless it is among them. */
  readonly requests?: readonly (Pick<ForgePull, "number"> & Partial<ForgePull>)[];
  /** The most rows of a page, for any requested number (default: 100). */
  readonly pageSize?: number;
  /** The rights of the token (default: write). */
  readonly rights?: "write" | "read";
  /** Responses in place of the fake's own, for rare behavior. */
  readonly answer?: (request: ForgeRequest) => Reply | null;
}

export interface Forge extends Pick<ForgeState, "url" | "comments" | "issues" | "opened" | "obeyed"> {
  /** Every received request, in order. */
  readonly requests: readonly ForgeRequest[];
  /** The variables of a job for pull or merge request 1. The event file of GitHub is the test's. */
  readonly env: {
    readonly github: Readonly<Record<string, string>>;
    readonly gitlab: Readonly<Record<string, string>>;
  };
  /** `METHOD /path` of the requests that were not GET, nor GitHub's query for the current user. */
  writes(): string[];
  close(): void;
}

/** Starts it on a free port. It ends with the test. */
export async function forgeFor(options: ForgeOptions = {}): Promise<Forge> {
  const requests: ForgeRequest[] = [];
  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = "", url: path = "", headers } = incoming;
    const request = { method, path, headers, body: parsed((await bytesOf(incoming)).toString()) };
    requests.push(request);
    const { status, json, headers: more } = options.answer?.(request) ?? answer(state, request);
    response.writeHead(status, { "content-type": "application/json; charset=utf-8", ...more });
    response.end(JSON.stringify(json));
  };
  const server = createServer((incoming, response) => void serve(incoming, response));
  const state = stateOf(await listen(server), options);
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  onTestFinished(close);
  return {
    ...state,
    requests,
    close,
    env: environments(state),
    writes: () =>
      requests.flatMap(({ method, path }) => (method === "GET" || path === "/graphql" ? [] : `${method} ${path}`)),
  };
}

function stateOf(
  url: string,
  { comments, issues, requests = [], pulls = [1], pageSize = 100, rights = "write" }: ForgeOptions,
): ForgeState {
  let nextId = 1001;
  return {
    url,
    comments: (comments ?? []).map((one) => ({ on: 1, author: ME, ...one, id: nextId++ })),
    issues: (issues ?? []).map((one, at) => ({
      title: "An issue",
      author: ME,
      state: "open",
      ...one,
      // GitHub counts issues and pull requests together.
      number: Math.max(...pulls) + 1 + at,
    })),
    opened: [],
    pulls: [...new Set([...pulls, ...requests.map(({ number }) => number)])],
    requests: [
      ...pulls.filter((number) => !requests.some((one) => one.number === number)).map((number) => ({ number })),
      ...requests,
    ].map((one) => ({ mergedInto: null, commits: [], ...one })),
    pageSize,
    rights,
    obeyed: [],
    nextId,
  };
}

function environments({ url }: ForgeState): Forge["env"] {
  return {
    github: {
      GITHUB_ACTIONS: "true",
      GITHUB_TOKEN: TOKEN,
      GITHUB_API_URL: url,
      GITHUB_REPOSITORY: REPOSITORY,
      GITHUB_REF: "refs/pull/1/merge",
    },
    gitlab: {
      GITLAB_CI: "true",
      GITLAB_TOKEN: TOKEN,
      CI_API_V4_URL: `${url}/api/v4`,
      CI_PROJECT_ID: PROJECT_ID,
      CI_MERGE_REQUEST_IID: "1",
    },
  };
}

function answer(state: ForgeState, request: ForgeRequest): Reply {
  return request.path.startsWith("/api/v4/") ? answerGitLab(state, request) : answerGitHub(state, request);
}

function parsed(text: string): ForgeRequest["body"] {
  return text === "" ? null : JSON.parse(text);
}
