// The fake GitHub: comments and issues of one repository over REST, and the current user over GraphQL.

import {
  change,
  ME,
  pageOf,
  REPOSITORY,
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

/** The content of a comment or an issue. */
const LONGEST = 65_536;
const PAGE = "https://github.example";

export function answerGitHub(state: ForgeState, request: ForgeRequest): Reply {
  if (!/^(Bearer|token) /.test(request.headers.authorization ?? "")) return problem(401, "Requires authentication");
  if (!(request.headers.authorization ?? "").endsWith(` ${TOKEN}`)) return problem(401, "Bad credentials");
  // GitHub answers 403 to requests without a User-Agent.
  if (request.headers["user-agent"] === undefined) return problem(403, "Request forbidden by administrative rules.");
  const [path = ""] = request.path.split("?");
  if (path === "/graphql") return { status: 200, json: { data: { viewer: { login: ME, databaseId: userId(ME) } } } };
  if (path === "/user") return NOT_YOURS;
  const [, rest = ""] = path.match(new RegExp(`^/repos/${REPOSITORY}/(.*)$`)) ?? [];
  if (request.method !== "GET" && state.rights === "read") return NOT_YOURS;
  const body = textIn(request, "body");
  if (body !== null && [...body].length > LONGEST) return tooLong(rest);
  return (
    aboutCommits(state, rest) ??
    aboutPulls(state, request, rest) ??
    listed(state, request, rest) ??
    made(state, request, rest) ??
    changed(state, request, rest) ??
    problem(404, "Not Found")
  );
}

/** The pull requests of a commit. */
function aboutCommits(state: ForgeState, path: string): Reply | null {
  const [, commit] = path.match(/^commits\/([0-9a-f]+)\/pulls$/) ?? [];
  if (commit === undefined) return null;
  return { status: 200, json: state.requests.filter(({ commits }) => commits.includes(commit)).map(pullJson) };
}

function pullJson({ number, mergedInto }: ForgePull): Record<string, unknown> {
  return {
    number,
    merged_at: mergedInto === null ? null : "2026-11-21T12:00:00Z",
    base: { ref: mergedInto ?? "main" },
  };
}

/** The pull requests that are opened through the API. */
function aboutPulls(state: ForgeState, request: ForgeRequest, path: string): Reply | null {
  const [, number] = path.match(/^pulls(?:\/(\d+))?$/) ?? [];
  if (!path.startsWith("pulls")) return null;
  const [owner] = REPOSITORY.split("/");
  if (request.method === "GET") {
    const wanted = new URL(request.path, state.url).searchParams;
    const found = state.opened.filter(
      (one) => one.state === wanted.get("state") && `${owner}:${one.head}` === wanted.get("head"),
    );
    return { status: 200, json: found.map(issueJson) };
  }
  const [title, head, base] = ["title", "head", "base"].map((name) => textIn(request, name));
  if (request.method === "POST" && title != null && head != null && base != null) {
    const opened: ForgeIssue = {
      number: 900 + state.opened.length,
      author: ME,
      title,
      body: textIn(request, "body") ?? "",
      state: "open",
      head,
      base,
    };
    state.opened.push(opened);
    return { status: 201, json: issueJson(opened) };
  }
  const pull = state.opened.find((one) => one.number === Number(number));
  if (request.method !== "PATCH" || pull === undefined) return null;
  change(pull, request, "body", ["state", "closed"]);
  return { status: 200, json: issueJson(pull) };
}

function listed(state: ForgeState, request: ForgeRequest, path: string): Reply | null {
  if (request.method !== "GET") return null;
  const [, number] = path.match(/^issues\/(\d+)\/comments$/) ?? [];
  if (number !== undefined && isThere(state, Number(number))) {
    const { rows, headers } = pageOf(
      state,
      request,
      state.comments.filter(({ on }) => on === Number(number)),
    );
    return { status: 200, json: rows.map(commentJson), headers };
  }
  if (path === "issues") {
    const wanted = new URL(request.path, state.url).searchParams.get("state") ?? "open";
    const issues = state.issues.filter((one) => wanted === "all" || one.state === wanted).toReversed();
    // A pull request is an issue, too.
    const pulls = state.pulls.map((pull) => ({ ...issueJson(pullAsIssue(pull)), pull_request: { url: PAGE } }));
    const { rows, headers } = pageOf(state, request, [...issues.map(issueJson), ...pulls]);
    return { status: 200, json: rows, headers };
  }
  return null;
}

function made(state: ForgeState, request: ForgeRequest, path: string): Reply | null {
  if (request.method !== "POST") return null;
  const body = textIn(request, "body") ?? "";
  const [, number] = path.match(/^issues\/(\d+)\/comments$/) ?? [];
  if (number !== undefined && isThere(state, Number(number))) {
    if (body.trim() === "") return problem(422, "Validation Failed");
    const comment = { id: state.nextId++, on: Number(number), author: ME, body };
    state.comments.push(comment);
    return { status: 201, json: commentJson(comment) };
  }
  if (path === "issues") {
    const title = textIn(request, "title");
    if (title === null) return problem(422, "Validation Failed");
    const taken = [...state.pulls, ...state.issues.map((one) => one.number)];
    const issue: ForgeIssue = { number: Math.max(...taken) + 1, author: ME, title, body, state: "open" };
    state.issues.push(issue);
    return { status: 201, json: issueJson(issue) };
  }
  return null;
}

function changed(state: ForgeState, request: ForgeRequest, path: string): Reply | null {
  if (request.method !== "PATCH") return null;
  const [, id] = path.match(/^issues\/comments\/(\d+)$/) ?? [];
  const comment = state.comments.find((one) => one.id === Number(id));
  if (comment !== undefined) {
    comment.body = textIn(request, "body") ?? comment.body;
    return { status: 200, json: commentJson(comment) };
  }
  const [, number] = path.match(/^issues\/(\d+)$/) ?? [];
  const issue = state.issues.find((one) => one.number === Number(number));
  if (issue === undefined) return null;
  change(issue, request, "body", ["state", "closed"]);
  return { status: 200, json: issueJson(issue) };
}

function isThere({ pulls, issues }: ForgeState, number: number): boolean {
  return pulls.includes(number) || issues.some((one) => one.number === number);
}

function pullAsIssue(number: number): ForgeIssue {
  return { number, author: "octocat", title: "A pull request", body: "", state: "open" };
}

function commentJson({ id, on, author, body }: ForgeComment): Record<string, unknown> {
  return { id, body, user: userJson(author), html_url: `${PAGE}/${REPOSITORY}/pull/${on}#issuecomment-${id}` };
}

function issueJson({ number, author, ...rest }: ForgeIssue): Record<string, unknown> {
  return {
    id: 9000 + number,
    number,
    ...rest,
    user: userJson(author),
    html_url: `${PAGE}/${REPOSITORY}/issues/${number}`,
  };
}

function userJson(login: string): Record<string, unknown> {
  return { login, id: userId(login), type: login.endsWith("[bot]") ? "Bot" : "User" };
}

function problem(status: number, message: string): Reply {
  return { status, json: { message, documentation_url: "https://docs.github.example/rest", status: String(status) } };
}

const NOT_YOURS: Reply = problem(403, "Resource not accessible by integration");

function tooLong(path: string): Reply {
  const resource = path.includes("comments") ? "IssueComment" : "Issue";
  const message = `Body is too long (maximum is ${LONGEST} characters)`;
  const errors = [{ resource, code: "unprocessable", field: "data", message }];
  return { status: 422, json: { message: "Validation Failed", errors, status: "422" } };
}
