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
    aboutComments(state, request, rest) ??
    aboutIssues(state, request, rest) ??
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

function aboutComments(state: ForgeState, request: ForgeRequest, path: string): Reply | null {
  const [, id] = path.match(/^issues\/comments\/(\d+)$/) ?? [];
  const [, number] = path.match(/^issues\/(\d+)\/comments$/) ?? [];
  const body = textIn(request, "body") ?? "";
  const comment = state.comments.find((one) => one.id === Number(id));
  if (comment !== undefined && request.method === "PATCH") {
    comment.body = body;
    return { status: 200, json: commentJson(comment) };
  }
  if (number === undefined || !isThere(state, Number(number))) return null;
  if (request.method === "GET") {
    const found = state.comments.filter(({ on }) => on === Number(number));
    const { rows, headers } = pageOf(state, request, found);
    return { status: 200, json: rows.map(commentJson), headers };
  }
  if (body.trim() === "") return problem(422, "Validation Failed");
  const made = { id: state.nextId++, on: Number(number), author: ME, body };
  state.comments.push(made);
  return { status: 201, json: commentJson(made) };
}

/** Issues, and the pull requests that are opened through the API. */
function aboutIssues(state: ForgeState, request: ForgeRequest, path: string): Reply | null {
  const [, kind, number] = path.match(/^(issues|pulls)(?:\/(\d+))?$/) ?? [];
  const all = kind === "issues" ? state.issues : state.opened;
  if (kind === undefined) return null;
  if (request.method === "GET" && number === undefined) {
    const query = new URL(request.path, state.url).searchParams;
    const wanted = query.get("state") ?? "open";
    const found = all
      .filter((one) => wanted === "all" || one.state === wanted)
      .filter(({ head }) => [null, `${REPOSITORY.split("/")[0]}:${head}`].includes(query.get("head")));
    // A pull request is an issue, too.
    const pulls = state.pulls.map((pull) => ({ ...issueJson(pullAsIssue(pull)), pull_request: { url: PAGE } }));
    const listed = [...found.toReversed().map(issueJson), ...(kind === "issues" ? pulls : [])];
    const { rows, headers } = pageOf(state, request, listed);
    return { status: 200, json: rows, headers };
  }
  if (request.method === "POST" && number === undefined) {
    const [title, head, base] = ["title", "head", "base"].map((name) => textIn(request, name));
    if (title == null) return problem(422, "Validation Failed");
    const taken = [...state.pulls, ...[...state.issues, ...state.opened].map((one) => one.number)];
    const branches = head == null || base == null ? {} : { head, base };
    const body = textIn(request, "body") ?? "";
    const made: ForgeIssue = { number: Math.max(...taken) + 1, author: ME, title, body, state: "open", ...branches };
    all.push(made);
    return { status: 201, json: issueJson(made) };
  }
  const issue = all.find((one) => one.number === Number(number));
  if (request.method !== "PATCH" || issue === undefined) return null;
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
