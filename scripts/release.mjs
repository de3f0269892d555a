// Makes a release of the commit that is checked out, for .github/workflows/release.yml: a commit with the built program, its tags, the
// npm package, its SBOM and the hashes. Prints outputs for the workflow. `--dry-run` makes it twice in temporary clones and checks the
// result. It needs no network.

import { createHash } from "node:crypto";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { main, ROOT, scratchFolder } from "./processes.mjs";

/** A fixed author makes the release commit reproducible. */
const AUTHOR = { NAME: "github-actions[bot]", EMAIL: "41898282+github-actions[bot]@users.noreply.github.com" };

await main(async () => {
  const [version, folder] = process.argv.slice(2);
  if (version === "--dry-run") return dryRun(await scratchFolder());
  if (folder === undefined) throw new Error("Usage: node scripts/release.mjs VERSION FOLDER, or --dry-run");
  const { commit, repository } = release(ROOT, version, path.resolve(folder));
  console.log(`commit=${commit}\nrepository=${repository ?? ""}`);
});

/** Writes the files of a release into a new folder, and commits and tags in the checkout `root`. */
function release(root, version, folder, isUnreleasedAllowed = false) {
  const git = (...args) => run("git", ["-C", root, ...args]).trim();
  const section = checkVersion(root, version, isUnreleasedAllowed);
  const repository = repositoryOf(root);
  const here = process.env.GITHUB_REPOSITORY ?? repository ?? "OWNER/linkform";
  if ((repository ?? here) !== here)
    throw new Error(
      `package.json names the repository ${repository}, but this is ${here}. npm would refuse the package.`,
    );
  if (git("status", "--porcelain") !== "") throw new Error("The checkout has changes. Commit them before a release.");
  const tag = `v${version}`;
  if (git("tag", "--list", tag) !== "") throw new Error(`The tag ${tag} exists. Raise the version in package.json.`);
  const source = git("rev-parse", "HEAD");
  const date = git("show", "--no-patch", "--format=%cI", source);

  run("npm", ["run", "--silent", "prepack"], { cwd: root });
  git("checkout", "--quiet", "--detach");
  git("add", "--force", "dist");
  const env = Object.fromEntries(
    Object.entries({ ...AUTHOR, DATE: date }).flatMap(([key, value]) => [
      [`GIT_AUTHOR_${key}`, value],
      [`GIT_COMMITTER_${key}`, value],
    ]),
  );
  const message = `Release ${tag}\n\nBuilt from ${source}.`;
  const commitArgs = ["commit", "--quiet", "--no-verify", "--message", message];
  run("git", ["-C", root, "-c", "commit.gpgSign=false", ...commitArgs], { env });
  const commit = git("rev-parse", "HEAD");
  git("tag", tag);
  // A fix of an older version leaves the moving tag at the newest one.
  const moving = movingTag(version);
  if (git("tag", "--list", `${moving}.*`, "--sort=-version:refname").split("\n")[0] === tag)
    git("tag", "--force", moving);
  const tags = git("tag", "--points-at", commit).split("\n");
  mkdirSync(folder, { recursive: true });
  const refs = tags.map((name) => `refs/tags/${name}`);
  git("bundle", "create", "--quiet", path.join(folder, "release.bundle"), ...refs, `^${source}`);

  // The package is built again, because `init` pins the action by the hash of the commit, which cannot contain its own hash.
  const action = `${here}@${commit} # ${tag}`;
  const pack = ["pack", "--silent", "--pack-destination", folder];
  const tarball = run("npm", pack, { cwd: root, env: { LINKFORM_ACTION: action } })
    .trim()
    .split("\n")
    .at(-1);
  const sbom = `linkform-${version}.cdx.json`;
  writeFileSync(path.join(folder, sbom), `${JSON.stringify(sbomOf(root, source, date), null, 2)}\n`);
  const sums = [tarball, sbom].map((name) => `${sha512(path.join(folder, name)).toString("hex")}  ${name}\n`);
  writeFileSync(path.join(folder, "SHA512SUMS"), sums.join(""));
  const integrity = `sha512-${sha512(path.join(folder, tarball)).toString("base64")}`;
  const pin = `### Pins\n\nThe action: \`${action}\`\n\n\`${tarball}\`: \`${integrity}\`\n`;
  writeFileSync(path.join(folder, "notes.md"), `${section}\n\n${pin}`);
  return { commit, repository, action };
}

/** Before 1.0, a minor version can change names. So the tag that moves is v0.1 then, and v1 later. */
function movingTag(version) {
  return /^(?:0\.)?\d+/.exec(version)[0].replace(/^/, "v");
}

/** Checks that package.json, the lock file and the change log are of this version. Returns its section of the change log. */
function checkVersion(root, version, isUnreleasedAllowed) {
  if (!/^\d+\.\d+\.\d+$/.test(version))
    throw new Error(`The version must be three numbers, such as 1.2.3, not ${version}.`);
  const read = (file) => readFileSync(path.join(root, file), "utf8");
  for (const file of ["package.json", "package-lock.json"]) {
    const found = JSON.parse(read(file)).version;
    if (found !== version) throw new Error(`${file} has version ${found}, not ${version}.`);
  }
  const section = read("CHANGELOG.md")
    .split(/^## /m)
    .find((one) => one.startsWith(`[${version}] - `));
  if (section === undefined) throw new Error(`CHANGELOG.md has no section "## [${version}] - DATE".`);
  const [heading, ...lines] = section.split("\n");
  const date = heading.slice(`[${version}] - `.length);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date) && !isUnreleasedAllowed)
    throw new Error(`CHANGELOG.md needs the date of version ${version}, not "${date}".`);
  return lines.join("\n").trim();
}

/** OWNER/REPOSITORY of package.json, or null. npm compares it with the repository of the workflow, case included. */
function repositoryOf(root) {
  const { repository } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
  if (repository === undefined) return null;
  const [, name] = /^git\+https:\/\/github\.com\/([\w.-]+\/[\w.-]+)\.git$/.exec(repository.url) ?? [];
  if (name !== undefined) return name;
  throw new Error("repository.url in package.json must be git+https://github.com/OWNER/REPOSITORY.git.");
}

/** The packages in the bundle, in CycloneDX. npm lists them as packages for development, because the package needs none at run time. */
function sbomOf(root, source, date) {
  const all = JSON.parse(run("npm", ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only"], { cwd: root }));
  const texts = readFileSync(path.join(root, "dist/THIRD-PARTY-LICENSES.txt"), "utf8").split(`\n${"-".repeat(78)}\n\n`);
  const bundled = new Set(texts.map((text) => text.split("\n")[0].replace(" ", "@")));
  const { metadata, components, dependencies } = all;
  const own = metadata.component["bom-ref"];
  return {
    ...all,
    serialNumber: source.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "urn:uuid:$1-$2-$3-$4-$5"),
    metadata: {
      ...metadata,
      timestamp: date,
      component: { ...metadata.component, name: "linkform", type: "application" },
    },
    components: components
      .filter(({ "bom-ref": ref }) => bundled.has(ref))
      .map((component) => ({ ...component, scope: "required", properties: [] })),
    dependencies: dependencies
      .filter(({ ref }) => ref === own || bundled.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => bundled.has(other)) })),
  };
}

/** Makes the release of the last commit twice, compares both, and runs the action from the tag without npm. */
function dryRun(scratch) {
  const { version } = JSON.parse(run("git", ["-C", ROOT, "show", "HEAD:package.json"]));
  const [first, second] = ["first", "second"].map((name) => {
    const checkout = path.join(scratch, name);
    run("git", ["clone", "--quiet", "--no-tags", ROOT, checkout]);
    // Hard links are fast, but need one file system.
    const copy = 'cp -a --link "$0" . 2>/dev/null || cp -a "$0" .';
    run("sh", ["-c", copy, path.join(ROOT, "node_modules")], { cwd: checkout });
    const files = path.join(scratch, `${name}-files`);
    return { checkout, files, ...release(checkout, version, files, true) };
  });
  check(first.commit === second.commit, "two builds of a commit differ");
  for (const name of readdirSync(first.files).filter((one) => one !== "release.bundle")) {
    const [one, other] = [first, second].map(({ files }) => sha512(path.join(files, name)));
    check(one.equals(other), `${name} differs between two builds`);
  }
  report(`two builds of the commit are the same: ${first.commit.slice(0, 7)}`);

  run(process.execPath, [path.join(first.checkout, "scripts/pins.mjs")]);
  report("actions and images are pinned");
  checkTags(first, version, scratch);
  checkAction(first, version, scratch);
  checkTarball(first, version);
  checkSbom(first, version);
  if (first.repository === null) console.log("! package.json has no repository, so npm is left out");
  else report(`npm gets the package from the repository ${first.repository}`);
}

/** The publishing job has a clone without the release commit, and gets it from the bundle. */
function checkTags({ files, commit }, version, scratch) {
  const clone = path.join(scratch, "publish");
  run("git", ["clone", "--quiet", "--no-tags", ROOT, clone]);
  run("git", ["-C", clone, "fetch", "--quiet", path.join(files, "release.bundle"), "refs/tags/*:refs/tags/*"]);
  const tags = [`v${version}`, movingTag(version)];
  for (const tag of tags)
    check(run("git", ["-C", clone, "rev-parse", tag]).trim() === commit, `the tag ${tag} is not the release commit`);
  report(`release.bundle has the tags ${tags.join(" and ")}`);
}

/** As GitHub runs it: the files of the tag, in a folder without node_modules, and a runner without npm. */
function checkAction({ checkout }, version, scratch) {
  const [action, tools, project] = ["action", "tools", "project"].map((name) => path.join(scratch, name));
  const clone = ["clone", "--quiet", "--depth=1", "-c", "advice.detachedHead=false", "--branch", `v${version}`];
  run("git", [...clone, `file://${checkout}`, action]);
  mkdirSync(tools);
  symlinkSync(process.execPath, path.join(tools, "node"));
  cpSync(path.join(ROOT, "examples/first-link"), project, { recursive: true });
  const env = {
    PATH: tools,
    HOME: scratch,
    GITHUB_WORKSPACE: project,
    RUNNER_TEMP: scratch,
    INPUT_COMMAND: "validate",
  };
  const program = path.join(action, "action/main.mjs");
  const out = execFileSync(process.execPath, [program], { env, cwd: project, encoding: "utf8" });
  check(out.includes("Valid: 1 file read."), `the action did not validate:\n${out}`);
  report(`the action runs from the tag v${version}, without npm and node_modules`);
}

/** SHA512SUMS and the notes have the hash of the package. Its program pins the action of the tag. */
function checkTarball({ files, action }, version) {
  const name = `linkform-${version}.tgz`;
  run("sha512sum", ["--check", "--quiet", "--strict", "SHA512SUMS"], { cwd: files });
  const integrity = `sha512-${sha512(path.join(files, name)).toString("base64")}`;
  check(readFileSync(path.join(files, "notes.md"), "utf8").includes(integrity), "the notes have another integrity");
  const program = run("tar", ["-xzOf", path.join(files, name), "package/dist"]);
  check(program.split(action).length === 2, `the package does not pin the action ${action}`);
  report(`${name} pins the action of the tag: ${integrity}`);
}

/** The names of bundled packages are in the comments that esbuild writes. */
function checkSbom({ checkout, files }, version) {
  const { bomFormat, serialNumber, metadata, components } = JSON.parse(
    readFileSync(path.join(files, `linkform-${version}.cdx.json`), "utf8"),
  );
  check(bomFormat === "CycloneDX" && serialNumber.startsWith("urn:uuid:"), "the SBOM is not CycloneDX");
  check(metadata.component.purl === `pkg:npm/linkform@${version}`, "the SBOM is of another package");
  const dist = path.join(checkout, "dist");
  const maps = readdirSync(dist).filter((name) => name.endsWith(".map"));
  const sources = maps.flatMap((name) => JSON.parse(readFileSync(path.join(dist, name), "utf8")).sources);
  const bundled = new Set(sources.flatMap((file) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []));
  const names = components.map(({ name }) => name);
  const [wanted, found] = [[...bundled], names].map((all) => all.toSorted().join(", "));
  check(wanted !== "" && wanted === found, `the SBOM lists ${found}, but bundled are ${wanted}`);
  check(
    components.every(({ hashes }) => hashes?.[0]?.alg === "SHA-512"),
    "the SBOM has no hash of a package",
  );
  report(`the SBOM lists the ${names.length} bundled packages`);
}

function check(isTrue, problem) {
  if (!isTrue) throw new Error(`The dry run failed: ${problem}.`);
}

function report(success) {
  console.log(`✓ ${success}`);
}

function sha512(file) {
  return createHash("sha512").update(readFileSync(file)).digest();
}

function run(command, args, { cwd, env } = {}) {
  return execFileSync(command, args, {
    cwd,
    env: { ...process.env, npm_config_offline: "true", npm_config_update_notifier: "false", ...env },
    stdio: ["ignore", "pipe", "inherit"],
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
}
