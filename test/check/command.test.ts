// `linkform check` on a project: which destinations it asks, what it reports, and what it keeps. All hosts are one server on loopback.

import { chmod, mkdir, readFile, rename, stat, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { BlockList } from "node:net";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { AskOptions } from "../../src/check/ask.ts";
import { check, type CheckFlags } from "../../src/cli/check.ts";
import { UserError } from "../../src/errors.ts";
import type { ValidateDocument } from "../../src/report/json/schema.ts";
import { fastClock } from "../support/clock.ts";
import { commandIn } from "../support/command.ts";
import { startRepository } from "../support/repository.ts";
import { runIn, temporaryFolder, writeFiles, type Ran } from "../support/scenario.ts";

const ALLOWED = new BlockList();
ALLOWED.addSubnet("127.0.0.0", 8);
const ON_LOOPBACK: Pick<AskOptions, "allowed" | "lookup"> = {
  allowed: ALLOWED,
  lookup: () => Promise.resolve([{ address: "127.0.0.1", family: 4 }]),
};

class Project {
  /** What a path answers: a status, or the address that it redirects to. Default: 200. */
  readonly answers: Record<string, number | string> = { "/gone": 404, "/closed": 403 };
  /** The host and path of each request. */
  readonly asked = new Set<string>();
  onRequest: () => void = () => undefined;
  now = "2026-11-21T12:00:00Z";
  readonly folder: string;
  #port = 0;

  constructor(folder: string) {
    this.folder = folder;
  }

  async start(): Promise<this> {
    const server = createServer(({ headers, url = "/" }, response) => {
      this.asked.add(`${(headers.host ?? "").replace(/:\d+$/, "")}${url}`);
      this.onRequest();
      const answer = this.answers[url] ?? 200;
      if (typeof answer === "number") response.writeHead(answer).end();
      else response.writeHead(301, { location: this.#withPort(answer) }).end();
    });
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    this.#port = typeof address === "object" && address !== null ? address.port : 0;
    return this;
  }

  #withPort(text: string): string {
    return text.replaceAll(/http:\/\/(?:me:hunter2@)?[a-z.]+\.test/g, (host) => `${host}:${this.#port}`);
  }

  /** Writes the project file. The first link is in line 4 if `more` has no line. */
  async write(links: string, more = ""): Promise<void> {
    const head = `version: 1\nservice: { base_url: https://short.test }\n${more}links:\n`;
    await writeFiles(this.folder, { "linkform.yaml": this.#withPort(head + links.trim().replaceAll(/^ */gm, "  ")) });
  }

  async run(flags: CheckFlags = {}, words: readonly string[] = [], signal?: AbortSignal): Promise<Ran> {
    const given = { now: () => this.now, clock: fastClock(2000), ...(signal !== undefined && { signal }) };
    const env = { PATH: process.env["PATH"] ?? "" };
    const ran = await runIn(this.folder, env, (world) => check(world, flags, words, ON_LOOPBACK), given);
    return { ...ran, out: ran.out.replaceAll(`:${this.#port}`, "") };
  }

  /** The findings of the JSON report, with their lines, and its answers. */
  async report(flags: CheckFlags = {}, words: readonly string[] = []): Promise<{ found: string[]; answers: string[] }> {
    const { out } = await this.run({ ...flags, format: ["json"] }, words);
    const { diagnostics, destinations = [] }: ValidateDocument = JSON.parse(out);
    return {
      found: diagnostics.map(({ code, line }) => `${line} ${code}`),
      answers: destinations.map(({ url, verdict, reason, links }) => `${links.join()} ${url} ${verdict}: ${reason}`),
    };
  }
}

const start = async (folder?: string): Promise<Project> => new Project(folder ?? (await temporaryFolder())).start();

const LINKS = `
  go.test/dead: { url: "http://shop.test/gone", owner: web }
  go.test/too: { url: "http://shop.test/gone#top", owner: [web] }
  go.test/other: { url: "http://shop.test/gone", owner: print }
  go.test/fine: { url: "http://shop.test/", targeting: { country: { DE: "http://shop.test/de" } } }
  go.test/closed: { url: "http://me:hunter2@shop.test/closed", expiration: { date: 2027-01-01, url: "http://shop.test/ended" } }
  go.test/app: { url: "shop://open" }
`;
const ALL = ["/", "/closed", "/de", "/ended", "/gone"].map((url) => `shop.test${url}`);

describe("linkform check", () => {
  // Fails if a field is left out, if an unknown destination is an alarm, if the report lacks links, lines or owners, or if a report or the
  // cache contains the password of a destination.
  it("asks each destination once, and reports a dead one for each owner, in every format", async () => {
    const project = await start();
    await project.write(LINKS);
    const { exit, out, err } = await project.run();
    expect([exit, err, [...project.asked].toSorted()]).toEqual([1, "", ALL]);
    expect(out).toContain(
      "error[dead-destination] `http://shop.test/gone` is dead: 404. 2 links: `go.test/dead`, `go.test/too`. Owner: `web`.\n  --> linkform.yaml:4:24",
    );
    expect(out).toContain("is dead: 404. Link: `go.test/other`. Owner: `print`.\n  --> linkform.yaml:6:25");
    expect(out).toContain(
      "note[unknown-destination] `http://shop.test/closed` is unknown: 403. Link: `go.test/closed`.",
    );
    expect(out).toMatch(/\n5 destinations checked: 1 dead, 1 unknown, 3 alive\.\n$/);
    const page = (await project.run({ format: ["markdown"] })).out;
    expect(page).toMatch(/^<!-- linkform check linkform\.yaml -->\n## linkform check\n\n⛔ \*\*5 destinations/);
    expect(page.match(/^### .*$/gm)).toEqual(["### ⛔ 1 error: `web`", "### ⛔ 1 error: `print`", "### 1 note"]);
    const html = (await project.run({ format: ["html"] })).out;
    expect(html).toContain("http://shop.test/gone");
    const json = (await project.run({ format: ["json"] })).out;
    const kept = await readFile(path.join(project.folder, ".linkform/check.json"), "utf8");
    expect([out, page, html, json, kept].join()).not.toContain("hunter2");
    const annotations = (await project.run({ format: ["github"] })).out.match(/^::\w+ file=\S+?,line=\d/gm);
    expect(annotations).toEqual(["::error file=linkform.yaml,line=4", "::error file=linkform.yaml,line=6"]);
  });

  // Fails if a click is counted, or if a loop, a deleted or an unknown short link is reported as something else.
  it("resolves short links from the files, and connects to no short domain and not to the service", async () => {
    const project = await start();
    project.answers["/to-short"] = "https://go.test/fine";
    await project.write(
      `
      go.test/a: { url: "https://go.test/B/?utm=1" }
      go.test/b: { url: "http://shop.test/gone" }
      go.test/c: { url: "https://promo.test/d" }
      promo.test/d: { url: "https://GO.test./c" }
      go.test/e: { url: "https://go.test/nowhere" }
      go.test/f: { url: "https://go.test/old" }
      go.test/g: { url: "https://short.test/login" }
      go.test/h: { url: "https://third.test/x" }
      go.test/i: { url: "https://fourth.test/x", renamed_from: fifth.test/i }
      go.test/j: { url: "https://fifth.test/i" }
      go.test/fine: { url: "http://shop.test/to-short" }
      `,
      "domains: { third: { id: 7, name: third.test }, fourth: { id: 8, name: fourth.test. } }\nabsent: { links: [go.test/old] }\n",
    );
    expect((await project.report()).answers).toEqual([
      "go.test/a,go.test/b http://shop.test/gone dead: 404",
      "go.test/c https://go.test./c dead: redirect loop: go.test/c → promo.test/d → go.test/c",
      "promo.test/d https://promo.test/d dead: redirect loop: promo.test/d → go.test/c → promo.test/d",
      "go.test/e https://go.test/nowhere unknown: no file declares this short link",
      "go.test/f https://go.test/old dead: the files delete this short link",
      "go.test/g https://short.test/login unknown: no file declares this short link",
      "go.test/h https://third.test/x unknown: no file declares this short link",
      "go.test/i https://fourth.test/x unknown: no file declares this short link",
      "go.test/j https://fifth.test/i unknown: no file declares this short link",
      expect.stringMatching(/^go\.test\/fine http:\/\/shop\.test\/to-short alive: /),
    ]);
    expect(project.asked).toEqual(new Set(["shop.test/gone", "shop.test/to-short"]));
  });

  it("checks only the links with these keys, and reports a key that no file declares", async () => {
    const project = await start();
    await project.write(LINKS);
    expect((await project.report({}, ["fine", "https://go.test/app"])).answers).toHaveLength(2);
    const { exit, out } = await project.run({}, ["go.test/fin", "other"]);
    expect([exit, out]).toEqual([1, expect.stringContaining("1 destination checked: 1 dead.")]);
    expect((await project.report({ maxWait: 0 }, ["other"])).answers.join()).toMatch(
      / unknown: .*not asked (again )?in time$/,
    );
    expect(out).toContain("error[unknown-key] No file declares `go.test/fin`.\n   = Did you mean `go.test/fine`?");
  });

  it("reports errors in the files, and asks nothing then", async () => {
    const project = await start();
    await project.write("go.test/a: { ulr: http://shop.test/ }");
    const { exit, out } = await project.run();
    expect([exit, project.asked.size]).toEqual([1, 0]);
    expect(out).toMatch(/error\[unknown-key\][^]*\nNot valid: 1 file read, 1 error\.\n$/);
  });

  // Fails if a pull request is blamed for destinations that were there before, or if one that it changes is not asked.
  it("asks with --base only the destinations that a link does not have there", async () => {
    const repository = await startRepository();
    const project = await start(repository.folder);
    const old = `go.test/old: { url: "http://shop.test/gone" }\n`;
    await project.write(`${old}go.test/edited: { url: "http://shop.test/" }`);
    await repository.commitAll();
    await project.write(
      `${old}go.test/edited: { url: "http://shop.test/closed" }\ngo.test/new: { url: "http://shop.test/gone" }`,
    );
    expect(await project.report({ base: "HEAD" })).toEqual({
      found: ["5 unknown-destination", "6 dead-destination"],
      answers: ["go.test/edited http://shop.test/closed unknown: 403", "go.test/new http://shop.test/gone dead: 404"],
    });
    expect((await project.run({ base: "nowhere" })).out).toContain("error[base-missing]");
  });

  // Fails if `validate` rejects a waiver, if it lasts for ever, or if it silences the other links.
  it("follows the rules of the project, and the waivers of a link", async () => {
    const project = await start();
    await project.write(LINKS, "rules: { dead-destination: warning }\n");
    expect(await project.run()).toMatchObject({ exit: 0, out: expect.stringContaining("warning[dead-destination]") });
    await project.write(LINKS, "rules: { dead-destination: off }\n");
    expect((await project.report()).found).toEqual(["9 unknown-destination"]);
    const until = (date: string): Promise<void> =>
      project.write(
        `go.test/a: { url: "http://shop.test/gone", waive: { dead-destination: { until: ${date}, because: New } } }\ngo.test/b: { url: "http://shop.test/gone" }`,
      );
    await until("2026-11-21");
    expect((await project.report()).found).toEqual(["5 dead-destination"]);
    expect((await commandIn(project.folder, ["validate"])).exit).toBe(0);
    await until("2026-11-20");
    expect((await project.report()).found).toEqual(["4 waiver-expired"]);
  });
});

describe(".linkform/check.json", () => {
  const FILE = ".linkform/check.json";

  it("keeps what is alive for 20 hours, and nothing else", async () => {
    const project = await start();
    await project.write(LINKS);
    await project.run();
    expect((await stat(path.join(project.folder, FILE))).mode & 0o777).toBe(0o600);
    const dead = ["shop.test/closed", "shop.test/gone"];
    // The last run has a clock that is behind.
    for (const [now, asked] of [
      ["22T07:59:59Z", dead],
      ["22T08:00:00Z", ALL],
      ["22T07:00:00Z", ALL],
    ] as const) {
      project.asked.clear();
      project.now = `2026-11-${now}`;
      await project.run();
      expect([...project.asked].toSorted()).toEqual(asked);
    }
  });

  it("is not in git, and one from a commit is not read", async () => {
    const repository = await startRepository();
    const project = await start(repository.folder);
    await project.write(LINKS);
    await project.run();
    await repository.commitAll();
    expect(await repository.git("ls-files")).toBe("linkform.yaml");
    const asked = async (): Promise<number> => {
      project.asked.clear();
      await project.run();
      return project.asked.size;
    };
    expect(await asked()).toBe(2);
    await chmod(path.join(project.folder, FILE), 0o644);
    expect(await asked()).toBe(ALL.length);
    expect(await asked()).toBe(2);
    await repository.git("add", "--force", FILE);
    expect(await asked()).toBe(ALL.length);
  });

  // Fails if a lapsed domain that now leads elsewhere is reported only in a run that nobody looked at, or for ever.
  it("reports for a week that redirects end at another host, but not for www", async () => {
    const project = await start();
    await project.write(`go.test/a: { url: "http://shop.test/" }`);
    const moved = ["4 destination-moved"];
    for (const [day, host, found] of [
      ["01", "www.shop.test", []],
      ["02", "shop.test", []],
      ["03", "spam.test", moved],
      ["04", "spam.test", moved],
      ["10", "spam.test", []],
      ["11", "shop.test", moved],
      ["12", "spam.test", []],
    ] as const) {
      project.answers["/"] = `http://${host}/home`;
      project.now = `2026-12-${day}T12:00:00Z`;
      expect([day, (await project.report()).found]).toEqual([day, found]);
    }
    [project.answers["/"], project.now] = [200, "2026-12-13T12:00:00Z"];
    expect((await project.run()).out).toContain(
      "warning[destination-moved] `http://shop.test/` now leads to the host `shop.test`, before to `spam.test`. Link",
    );
  });

  // Fails if a link that a commit brings makes the cache overwrite another file.
  it("is ignored if it is damaged, and not written through a symbolic link", async () => {
    const project = await start();
    await project.write(`go.test/a: { url: "http://shop.test/" }`);
    const [file, own] = [path.join(project.folder, FILE), path.join(project.folder, "linkform.yaml")];
    await mkdir(path.dirname(file));
    for (const text of ["{", '{ "format_version": "1.0", "destinations": { "http://shop.test/": 1 } }', "[]"]) {
      await writeFile(file, text);
      expect((await project.run()).exit).toBe(0);
      expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({ format_version: "1.0" });
    }
    const before = await readFile(own, "utf8");
    await symlink("../linkform.yaml", `${file}.new`);
    await rename(`${file}.new`, file);
    expect([(await project.run()).exit, await readFile(own, "utf8")]).toEqual([0, before]);
  });

  // Fails if Ctrl-C loses the answers of an hour.
  it("has what answered before an interruption, and so has the report", async () => {
    const project = await start();
    await project.write(LINKS);
    const stopped = new AbortController();
    project.onRequest = () => {
      if (project.asked.size === 3) stopped.abort(new UserError("interrupted", "Interrupted.", { exit: 130 }));
    };
    const { exit, out } = await project.run({}, [], stopped.signal);
    expect([exit, out]).toEqual([130, expect.stringMatching(/error\[interrupted\][^]*\n[12] destinations? checked: /)]);
    expect(await readFile(path.join(project.folder, FILE), "utf8")).toContain("http://shop.test");
  });
});
