// The fake GitLab: the notes of merge requests and the issues of one project. It records the quick actions that GitLab would have executed.

import {
  change,
  ME,
  pageOf,
  PROJECT_ID,
  textIn,
  TOKEN,
  userId,
  type ForgeComment,
  type ForgeIssue,
  type ForgePull,
  type ForgeRequest,
  type ForgeState,
  type Reply,
} from "./forge-state.ts";

/** The content of a note or a description. */
const LONGEST = 1_000_000;
const PAGE = "https://gitlab.example/acme/links";

export function answerGitLab(state: ForgeState, request: ForgeRequest): Reply {
  const { authorization = "", "private-token": token } = request.headers;
  if (token !== TOKEN && authorization !== `Bearer ${TOKEN}`) return problem(401, "401 Unauthorized");
  const [path = ""] = request.path.slice("/api/v4".length).split("?");
  if (path === "/user") return { status: 200, json: userJson(ME) };
  if (!path.startsWith(`/projects/${PROJECT_ID}/`)) return problem(404, "404 Project Not Found");
  const rest = path.slice(`/projects/${PROJECT_ID}/`.length);
  if (request.method !== "GET" && state.rights === "read") return problem(403, "403 Forbidden");
  const body = textIn(request, "body") ?? textIn(request, "description");
  if (body !== null && [...body].length > LONGEST)
    return { status: 400, json: { message: { note: [`is too long (maximum is ${LONGEST} characters)`] } } };
  if (body !== null) state.obeyed.push(...quickActions(body));
  return (
    aboutCommits(state, rest) ??
    notes(state, request, rest) ??
    issues(state, request, rest) ??
    problem(404, "404 Not found")
  );
}

/** The merge requests of a commit. */
function aboutCommits(state: ForgeState, path: string): Reply | null {
  const [, commit] = path.match(/^repository\/commits\/([0-9a-f]+)\/merge_requests$/) ?? [];
  if (commit === undefined) return null;
  return { status: 200, json: state.requests.filter(({ commits }) => commits.includes(commit)).map(mergeJson) };
}

function mergeJson({ number, mergedInto }: ForgePull): Record<string, unknown> {
  const state = mergedInto === null ? "opened" : "merged";
  return { iid: number, state, target_branch: mergedInto ?? "main" };
}

function notes(state: ForgeState, request: ForgeRequest, path: string): Reply | null {
  const [, iid, id] = path.match(/^merge_requests\/(\d+)\/notes(?:\/(\d+))?$/) ?? [];
  if (iid === undefined || !state.pulls.includes(Number(iid))) return null;
  const body = textIn(request, "body");
  if (request.method === "GET") {
    const order = new URL(request.path, state.url).searchParams.get("sort") ?? "desc";
    const all = state.comments.filter(({ on }) => on === Number(iid));
    const { rows, headers } = pageOf(state, request, order === "asc" ? all : all.toReversed());
    return { status: 200, json: rows.map(noteJson), headers };
  }
  if (body === null) return problem(400, "400 Bad request - Note can't be blank");
  if (request.method === "POST" && id === undefined) {
    const comment = { id: state.nextId++, on: Number(iid), author: ME, body };
    state.comments.push(comment);
    return { status: 201, json: noteJson(comment) };
  }
  const comment = state.comments.find((one) => one.id === Number(id));
  if (request.method !== "PUT" || comment === undefined) return null;
  comment.body = body;
  return { status: 200, json: noteJson(comment) };
}

function issues(state: ForgeState, request: ForgeRequest, path: string): Reply | null {
  const [, kind, iid] = path.match(/^(issues|merge_requests)(?:\/(\d+))?$/) ?? [];
  const all = kind === "issues" ? state.issues : state.opened;
  if (kind === undefined) return null;
  if (request.method === "GET" && iid === undefined) {
    const query = new URL(request.path, state.url).searchParams;
    const found = all
      .filter(({ head }) => (query.get("source_branch") ?? head) === head)
      .filter((one) => query.get("state") !== "opened" || one.state === "open")
      .filter(({ author }) => query.get("author_id") === null || query.get("author_id") === String(userId(author)));
    const { rows, headers } = pageOf(state, request, found.toReversed());
    return { status: 200, json: rows.map(issueJson), headers };
  }
  if (request.method === "POST" && iid === undefined) {
    const title = textIn(request, "title");
    if (title === null) return problem(400, "400 Bad request - title is missing");
    const number = Math.max(0, ...all.map((one) => one.number)) + 1;
    const body = textIn(request, "description") ?? "";
    const [head, base] = [textIn(request, "source_branch"), textIn(request, "target_branch")];
    const branches = head === null || base === null ? {} : { head, base };
    const issue: ForgeIssue = { number, author: ME, title, body, state: "open", ...branches };
    all.push(issue);
    return { status: 201, json: issueJson(issue) };
  }
  const issue = all.find((one) => one.number === Number(iid));
  if (request.method !== "PUT" || issue === undefined) return null;
  change(issue, request, "description", ["state_event", "close"]);
  return { status: 200, json: issueJson(issue) };
}

/** Lines that begin with a slash and a word, outside of blocks of code. */
function quickActions(body: string): string[] {
  let isCode = false;
  return body.split("\n").filter((line) => {
    if (/^(```|~~~)/.test(line)) isCode = !isCode;
    return !isCode && /^\/[a-z_]+/.test(line);
  });
}

function noteJson({ id, author, body, on }: ForgeComment): Record<string, unknown> {
  return { id, body, author: userJson(author), system: false, noteable_type: "MergeRequest", noteable_iid: on };
}

function issueJson({ number, author, body, title, state }: ForgeIssue): Record<string, unknown> {
  const states = { open: "opened", closed: "closed" } as const;
  return {
    id: 5000 + number,
    iid: number,
    title,
    description: body,
    state: states[state],
    author: userJson(author),
    web_url: `${PAGE}/-/issues/${number}`,
  };
}

function userJson(username: string): Record<string, unknown> {
  return { id: userId(username), username };
}

function problem(status: number, message: string): Reply {
  return { status, json: { message } };
}
