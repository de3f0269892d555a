// `linkform init` with flags. Fails if a project is invalid, if its plan has unwanted changes, if an existing file is
// overwritten, if only some files are written, if a request is not a read, if a missing or wrong answer has the wrong exit
// code, or if the key is written or printed.

import { mkdir, readFile, stat, symlink } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { doctor } from "../../src/cli/doctor.ts";
import { init } from "../../src/init/command.ts";
import { pull } from "../../src/pull/command.ts";
import { begin, entriesOf, textsIn } from "../support/init-project.ts";
import { startReplying } from "../service/server.ts";
import { repositoryIn } from "../support/repository.ts";
import { runIn, temporaryFolder, writeFiles } from "../support/scenario.ts";
import { schemaErrors } from "../support/schemas.ts";

const GITLAB = { ci: "gitlab", ciImage: "registry.example.com/linkform:1" } as const;
const LINK = { url: "https://example.com/", domain: 2, alias: "there" };

describe("a new project", () => {
  test("names all domains and spaces, has an example that declares nothing, and works, after few requests", async () => {
    const start = await begin({ seed: { links: [LINK] } });
    const { exit, out, err } = await start.init();
    expect({ exit, err }).toEqual({ exit: 0, err: "" });
    const asked = start.sandbox.requests.map(({ path: url }) => url.replace(/\?.*/, ""));
    expect(asked).toEqual(["/api/v1/links", "/api/v1/domains", "/api/v1/spaces"]);
    const texts = await textsIn(start.folder);
    expect(Object.keys(texts)).toEqual([
      ".linkform/schemas/project.schema.json",
      ".linkform/schemas/resource.schema.json",
      "linkform.yaml",
      "links/example.yaml",
    ]);
    expect(parse(texts["linkform.yaml"] ?? "")).toEqual({
      version: 1,
      service: { base_url: start.sandbox.url },
      domains: { "go.example.com": 2, "promo.example.com": 3 },
      spaces: { Marketing: 1, Sales: 2 },
    });
    expect(parse(texts["links/example.yaml"] ?? "")).toEqual({ links: null });
    expect(out).toMatch(/\n {4}linkform plan\n {4}linkform apply\n$/);
    expect((await start.holds()).summary.unmanaged).toBe(1);
    const checked = await runIn(start.folder, start.env, (world) => doctor(world, {}));
    expect(checked.out).toMatch(/All is well\.\n$/);
  });

  test("writes id and name of a domain that only links name", async () => {
    const start = await begin({ seed: { links: [{ ...LINK, domain: 1 }] } });
    await start.init({ domain: ["short.example.com=1"] });
    const { domains, defaults } = parse(await readFile(path.join(start.folder, "linkform.yaml"), "utf8"));
    expect(domains["short.example.com"]).toEqual({ id: 1, name: "short.example.com" });
    expect(defaults).toEqual({ link: { domain: "short.example.com" } });
    await start.holds();
  });

  test("names the domains and spaces of flags, with a single domain as default", async () => {
    const start = await begin();
    expect((await start.init({ domain: ["GO.example.com"], space: [] })).exit).toBe(0);
    const project = parse(await readFile(path.join(start.folder, "linkform.yaml"), "utf8"));
    expect(project).toMatchObject({
      domains: { "go.example.com": 2 },
      defaults: { link: { domain: "go.example.com" } },
    });
    expect(project.spaces).toBeUndefined();
    await start.holds();
  });

  test("is written without a request or key with --offline", async () => {
    const start = await begin();
    const { exit, out } = await start.init({ offline: true, domain: ["go.example.com=2", "promo.example.com"] }, {});
    expect({ exit, requests: start.sandbox.requests }).toEqual({ exit: 0, requests: [] });
    const { domains } = parse(await readFile(path.join(start.folder, "linkform.yaml"), "utf8"));
    expect(domains).toEqual({
      "go.example.com": { id: 2, name: "go.example.com" },
      "promo.example.com": "promo.example.com",
    });
    expect(out).toContain("linkform doctor\n");
    await start.holds();
  });

  test("refers to the installed schemas", async () => {
    const start = await begin();
    await writeFiles(start.folder, { "node_modules/linkform/schemas/project.schema.json": "{}" });
    await repositoryIn(start.folder);
    await start.init({ config: "shops/linkform.yaml" });
    for (const file of ["shops/linkform.yaml", "shops/links/example.yaml"]) {
      const [line = ""] = (await readFile(path.join(start.folder, file), "utf8")).split("\n");
      const [, schema = ""] = /^# yaml-language-server: \$schema=(\S+)$/.exec(line) ?? [];
      expect(path.join(path.dirname(file), schema)).toBe(
        `node_modules/linkform/schemas/${file.endsWith("example.yaml") ? "resource" : "project"}.schema.json`,
      );
    }
    expect(await entriesOf(path.join(start.folder, "shops"))).toEqual(["linkform.yaml", "links", "links/example.yaml"]);
  });

  test("can have another name, in a new folder, with copies of the schemas if the package is installed elsewhere", async () => {
    const start = await begin();
    const config = "shops/linkform.staging.yaml";
    const { exit, out } = await start.init({ config });
    expect(exit).toBe(0);
    expect(out).toContain(`linkform plan --config ${config}\n`);
    for (const file of [config, "shops/links/example.yaml"]) {
      const [, schema = ""] = /\$schema=(\S+)/.exec(await readFile(path.join(start.folder, file), "utf8")) ?? [];
      const there = path.join(start.folder, path.dirname(file), schema);
      expect(await readFile(there, "utf8")).toBe(await readFile(path.join("schemas", path.basename(schema)), "utf8"));
    }
    await start.holds({ config });
  });
});

describe("a project with --pull", () => {
  const seed = {
    pixels: [
      { name: "Marketing FB", type: "facebook", value: "123456789012345" },
      { name: "Sales GA", type: "google-analytics", value: "G-ABCDEFGH12" },
    ],
    links: [
      { ...LINK, space: 1, pixels: [1] },
      { ...LINK, alias: "secret", space: 2, password: "hush" },
      { ...LINK, alias: "shared", domain: 1 },
      { ...LINK, alias: "other", domain: 3 },
    ],
  };

  test("declares the live state, and a plan is empty", async () => {
    const start = await begin({ seed });
    const { exit, out, err } = await start.init({ pull: true });
    expect({ exit, err }).toEqual({ exit: 0, err: "" });
    expect(out).toContain("LINKFORM_SECRET_SECRET_PASSWORD");
    const { summary } = await start.holds();
    expect(summary).toMatchObject({ unchanged: 6, unmanaged: 0 });
    const texts = await textsIn(start.folder);
    expect(texts["links/example.yaml"]).toBeUndefined();
    for (const [file, text] of Object.entries(texts).filter(([name]) => name.startsWith("links/")))
      expect(`${file}: ${text.split("\n")[0]}`).toBe(
        `${file}: # yaml-language-server: $schema=../.linkform/schemas/resource.schema.json`,
      );
  });

  test.each([
    ["one link, and the pixel that it uses", "go.example.com", 2],
    ["no link", "promo.example.com", 0],
  ])("pulls only the chosen domains and spaces: %s", async (_, domain, unchanged) => {
    const start = await begin({ seed: { ...seed, links: seed.links.filter((link) => link.domain !== 3) } });
    expect((await start.init({ pull: true, domain: [domain], space: ["Marketing"] })).exit).toBe(0);
    expect((await start.holds()).summary.unchanged).toBe(unchanged);
  });

  test("reports what files cannot declare", async () => {
    const odd = { ...LINK, alias: "odd", space: 1, url: `https://example.com/${"a".repeat(2048)}` };
    const start = await begin({ seed: { links: [{ ...LINK, space: 1 }, odd] } });
    const { exit, out } = await start.init({ pull: true });
    expect(exit).toBe(0);
    expect(out).toContain("go.example.com/odd");
    expect(out).toContain("except 1 object that files cannot express");
    expect((await start.holds()).summary).toMatchObject({ unchanged: 1, unmanaged: 1 });
  });

  test("can be pulled later, with the same schema in new files", async () => {
    const start = await begin({ seed });
    await start.init({ config: "shop/linkform.yaml" });
    const folder = path.join(start.folder, "shop");
    expect((await runIn(folder, start.env, (world) => pull(world, {}, []))).exit).toBe(0);
    const text = await readFile(path.join(folder, "links/pixels.yaml"), "utf8");
    expect(text).toMatch(/^# yaml-language-server: \$schema=\.\.\/\.linkform\/schemas\/resource\.schema\.json\n/);
    await start.holds({ config: "shop/linkform.yaml" });
  });

  test("keeps existing files of links, and names the next command", async () => {
    const start = await begin({ seed });
    await writeFiles(start.folder, { "links/ours.yaml": "# ours\nlinks: {}\n" });
    const { exit, out } = await start.init({ pull: true });
    expect(exit).toBe(0);
    expect(out).toMatch(/Next:\n {4}linkform pull\n {4}linkform plan\n$/);
    expect((await textsIn(start.folder))["links/ours.yaml"]).toBe("# ours\nlinks: {}\n");
  });
});

describe("missing or wrong answers", () => {
  const cases: readonly [string, Parameters<typeof init>[1], Readonly<Record<string, string>>, number, string[]][] = [
    ["no address", {}, {}, 64, ["`--base-url` is missing"]],
    ["no key", { baseUrl: "https://short.example.com" }, {}, 64, ["`--api-key-file` is missing", "--offline"]],
    ["no action", { baseUrl: "https://a.example", offline: true, ci: "github" }, {}, 64, ["`--ci-source` is missing"]],
    ["no scheme", { baseUrl: "short.example.com", offline: true }, {}, 64, ["Did you mean https://short.example.com?"]],
    [
      "the address of the interface",
      { baseUrl: "https://short.example.com/api/v1/", offline: true },
      {},
      64,
      ["must not contain /api/v1", "Write it as https://short.example.com."],
    ],
    ["an invalid pinned address", { offline: true }, { LINKFORM_BASE_URL: "ftp://a" }, 64, ["LINKFORM_BASE_URL: "]],
    ["a pull without the service", { pull: true, offline: true }, {}, 64, ["--offline"]],
    ["an image without a workflow", { ciImage: "linkform:1" }, {}, 64, ["`--ci-image`", "--ci github"]],
    ["a project file with a wrong name", { config: "linkform.json" }, {}, 64, ["linkform.yaml"]],
  ];
  test.each(cases)("%s", async (_, flags, env, code, said) => {
    const folder = await temporaryFolder();
    const { exit, err, out } = await runIn(folder, env, (world) => init(world, flags));
    expect({ exit, out }).toEqual({ exit: code, out: "" });
    for (const text of said) expect(err).toContain(text);
    expect(err).toContain("nothing was written");
    expect(await entriesOf(folder)).toEqual([]);
  });

  test.each([
    [{ domain: ["shop.example.com"] }, "go.example.com=2, promo.example.com=3"],
    [{ domain: ["go.example.com=3"] }, "promo.example.com=3"],
    [{ domain: ["promo.example.com=7"] }, "promo.example.com=3"],
    [{ domain: ["https://go.example.com/"] }, "Write it as go.example.com"],
    [{ domain: ["2"] }, "Write it as go.example.com"],
    [{ space: ["Market"] }, "Marketing=1, Sales=2"],
    [{ ci: "github", ciSource: "acme" }, "OWNER/REPOSITORY"],
  ] as const)("%o is an error with a suggestion", async (flags, said) => {
    const start = await begin();
    const { exit, err } = await start.init(flags);
    expect(exit).toBe(64);
    expect(err).toContain(said);
    expect(await entriesOf(start.folder)).toEqual([]);
  });

  test("an ambiguous name of a space needs an id", async () => {
    const start = await begin({ seed: { spaces: [{ name: "Team" }, { name: "team" }] } });
    expect((await start.init({ space: ["Team"] })).err).toContain("Choose one by id: Team=1.");
    expect((await start.init({ space: ["Team=2"] })).exit).toBe(0);
    await start.holds();
  });

  test("a refused key writes nothing", async () => {
    const start = await begin();
    const { exit, err } = await start.init({}, { LINKFORM_API_KEY: "wrong-0815" });
    expect(exit).toBe(1);
    expect(err).toContain("401");
    expect(err).not.toContain("wrong-0815");
    expect(await entriesOf(start.folder)).toEqual([]);
  });
});

describe("an address of another service", () => {
  test.each([
    ["a page, as a short domain has", { status: 404, body: "<h1>No page</h1>" }, "not the domain of the short links"],
    ["other JSON", { json: { hello: 1 } }, "without a path such as /login"],
    ["a redirect", { status: 302, headers: { location: "https://login.example.com/" } }, "login.example.com"],
  ] as const)("%s is reported, and nothing is written", async (_, reply, said) => {
    const { url: baseUrl } = await startReplying(reply);
    const folder = await temporaryFolder();
    const { exit, err } = await runIn(folder, { LINKFORM_API_KEY: "a-key" }, (world) => init(world, { baseUrl }));
    expect(exit).toBe(1);
    expect(err).toContain(`${baseUrl} does not respond like the service`);
    expect(err).toContain(said);
    expect(await entriesOf(folder)).toEqual([]);
  });
});

describe("an existing file", () => {
  test("is reported and kept, and the others are written", async () => {
    const start = await begin();
    await writeFiles(start.folder, { "links/example.yaml": "links: {}\n" });
    const { exit, err, out } = await start.init();
    expect(exit).toBe(0);
    expect(err).toContain("links/example.yaml already exists and was not changed.");
    expect(out).not.toContain("+ links/example.yaml");
    expect((await textsIn(start.folder))["links/example.yaml"]).toBe("links: {}\n");
    await start.holds();
  });

  test("may be a broken symbolic link", async () => {
    const start = await begin();
    await mkdir(path.join(start.folder, "links"));
    await symlink("/nowhere/at/all", path.join(start.folder, "linkform.yaml"));
    expect((await start.init()).exit).toBe(64);
    expect(await entriesOf(start.folder)).toEqual(["linkform.yaml", "links"]);
  });

  test.each([{}, { pull: true }])("that is a symbolic link out of the project is not followed: %o", async (flags) => {
    const [start, elsewhere] = [await begin({ seed: { links: [LINK] } }), await temporaryFolder()];
    await symlink(elsewhere, path.join(start.folder, "links"));
    const { exit, err } = await start.init(flags);
    expect(exit).toBe(1);
    expect(err).toMatch(
      /^error\[outside-project\] (`links` is a symbolic link that|This symbolic link) leads out of the project folder\./,
    );
    expect([await entriesOf(elsewhere), await entriesOf(start.folder)]).toEqual([[], ["links"]]);
  });

  test("of a project is an error, unless workflows are added", async () => {
    const start = await begin();
    await start.init();
    const before = await textsIn(start.folder);
    const again = await start.init();
    expect(again.exit).toBe(64);
    expect(again.err).toContain("--ci github or --ci gitlab");
    expect(await textsIn(start.folder)).toEqual(before);

    const { exit, out, err } = await start.init(GITLAB, {});
    expect(exit).toBe(0);
    expect(err).toContain("linkform.yaml already exists");
    expect(out).toContain("+ .gitlab-ci.yml");
    expect(await textsIn(start.folder)).toMatchObject(before);
    expect((await start.init(GITLAB, {})).out).toContain("The files need no changes.");
  });

  test("with errors prevents writing", async () => {
    const start = await begin();
    await writeFiles(start.folder, { "links/old.yaml": "links: { a: { url: 5 } }\n" });
    const { exit, err } = await start.init();
    expect(exit).toBe(1);
    expect(err).toContain("links/old.yaml:1");
    expect(await entriesOf(start.folder)).toEqual(["links", "links/old.yaml"]);
  });

  test("in place of a folder leaves no partial result", async () => {
    const start = await begin();
    await writeFiles(start.folder, { ".github": "a file\n" });
    const { exit, err } = await start.init({ ci: "github", ciSource: `acme/linkform@${"5".repeat(40)}` });
    expect(exit).toBe(1);
    expect(err).toContain(".github/workflows/linkform.yml cannot be written");
    expect(await entriesOf(start.folder)).toEqual([".github"]);
  });
});

test("--dry-run shows what it would write, and writes nothing", async () => {
  const start = await begin();
  const flags = { dryRun: true, ci: "github", ciSource: `acme/linkform@${"5".repeat(40)}` } as const;
  const { exit, out } = await start.init(flags);
  expect(exit).toBe(0);
  expect(out).toContain("+++ b/linkform.yaml\n");
  expect(out).toContain("+version: 1\n");
  expect(out).toContain("+ .linkform/schemas/project.schema.json\n");
  expect(out).not.toContain("json-schema.org");
  expect(await entriesOf(start.folder)).toEqual([]);
  const document = JSON.parse((await start.init({ ...flags, format: ["json"] })).out);
  expect(document).toMatchObject({ command: "init", written: false });
  expect(document.files.map(({ file }: { file: string }) => file)).toContain("linkform.yaml");
});

test("JSON matches its schema", async () => {
  const start = await begin();
  await writeFiles(start.folder, { "links/example.yaml": "links: {}\n" });
  for (const flags of [{ dryRun: true }, { domain: ["nowhere.example.com"] }, {}, GITLAB] as const) {
    const { exit, out } = await start.init({ ...flags, format: ["json"] });
    const document = JSON.parse(out);
    expect(await schemaErrors("written", document)).toBeNull();
    const errors = document.diagnostics.filter(({ severity }: { severity: string }) => severity === "error");
    expect(errors.length > 0).toBe(exit === 64);
  }
});

test("a key from a file is used and not stored", async () => {
  const start = await begin();
  await writeFiles(start.folder, { key: `${start.sandbox.apiKey}\n` });
  expect((await start.init({ apiKeyFile: "key" }, {})).exit).toBe(0);
  const { key: _, ...written } = await textsIn(start.folder);
  expect(Object.values(written).join("")).not.toContain(start.sandbox.apiKey);
  expect((await stat(path.join(start.folder, "linkform.yaml"))).isFile()).toBe(true);
});
