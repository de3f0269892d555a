// Makes a release of the commit that is checked out, for .github/workflows/release.yml: a commit with the built program, its tags, the
// npm package, its SBOM and the hashes. `--dry-run` makes it twice in temporary clones and checks the result. It needs no network.

import { createHash } from "node:crypto";
import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const ROOT = path.resolve(import.meta.dirname, "..");

/** A fixed author makes the release commit reproducible. */
const AUTHOR = { name: "github-actions[bot]", email: "41898282+github-actions[bot]@users.noreply.github.com" };

try {
  const [version, folder] = process.argv.slice(2);
  if (version === "--dry-run") dryRun();
  else if (version === undefined || folder === undefined)
    throw new Error("Usage: node scripts/release.mjs VERSION FOLDER, or --dry-run");
  else console.log(release(ROOT, version, path.resolve(folder), false));
} catch (cause) {
  console.error(cause instanceof Error ? cause.message : String(cause));
  process.exitCode = 1;
}

/** Writes the files of a release into a new folder, and commits and tags in the checkout `root`. Returns the release commit. */
function release(root, version, folder, isUnreleasedAllowed) {
  const git = (...args) => run("git", ["-C", root, ...args]).trim();
  const section = checkVersion(root, version, isUnreleasedAllowed);
  if (git("status", "--porcelain") !== "") throw new Error("The checkout has changes. Commit them before a release.");
  const tag = `v${version}`;
  if (git("tag", "--list", tag) !== "") throw new Error(`The tag ${tag} exists. Raise the version in package.json.`);
  const source = git("rev-parse", "HEAD");
  const date = git("show", "--no-patch", "--format=%cI", source);

  mkdirSync(folder, { recursive: true });
  // This also builds the program and its types.
  const tarball = run("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: root })
    .trim()
    .split("\n")
    .at(-1);
  const sbom = `linkform-${version}.cdx.json`;
  writeFileSync(path.join(folder, sbom), `${JSON.stringify(sbomOf(root, source, date), null, 2)}\n`);
  const files = [tarball, sbom];
  const sums = files.map((name) => `${sha512(path.join(folder, name)).toString("hex")}  ${name}\n`);
  writeFileSync(path.join(folder, "SHA512SUMS"), sums.join(""));
  const integrity = `sha512-${sha512(path.join(folder, tarball)).toString("base64")}`;
  writeFileSync(path.join(folder, "notes.md"), `${section}\n\n### Integrity\n\n\`${tarball}\`: \`${integrity}\`\n`);

  git("checkout", "--quiet", "--detach");
  git("add", "--force", "dist");
  const env = {
    GIT_AUTHOR_NAME: AUTHOR.name,
    GIT_AUTHOR_EMAIL: AUTHOR.email,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: AUTHOR.name,
    GIT_COMMITTER_EMAIL: AUTHOR.email,
    GIT_COMMITTER_DATE: date,
  };
  const message = `Release ${tag}\n\nBuilt from ${source}.`;
  run("git", ["-C", root, "-c", "commit.gpgSign=false", "commit", "--quiet", "--no-verify", "--message", message], {
    env,
  });
  git("tag", tag);
  // A fix of an older version leaves the major tag at the newest one.
  const major = tag.split(".")[0];
  if (git("tag", "--list", `${major}.*`, "--sort=-version:refname").split("\n")[0] === tag)
    git("tag", "--force", major);
  const tags = git("tag", "--points-at", "HEAD").split("\n");
  git(
    "bundle",
    "create",
    "--quiet",
    path.join(folder, "release.bundle"),
    ...tags.map((name) => `refs/tags/${name}`),
    `^${source}`,
  );
  return git("rev-parse", "HEAD");
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

/** The packages in the bundle, in CycloneDX. npm lists them as packages for development, because the package needs none at run time. */
function sbomOf(root, source, date) {
  const all = JSON.parse(run("npm", ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only"], { cwd: root }));
  const texts = readFileSync(path.join(root, "dist/THIRD-PARTY-LICENSES.txt"), "utf8").split(`\n${"-".repeat(78)}\n\n`);
  const bundled = new Set(texts.map((text) => text.split("\n")[0].replace(" ", "@")));
  const components = all.components
    .filter(({ "bom-ref": ref }) => bundled.has(ref))
    .map((component) => ({ ...component, scope: "required", properties: [] }));
  const own = all.metadata.component["bom-ref"];
  const [a, b, c, d, e] = [
    source.slice(0, 8),
    source.slice(8, 12),
    source.slice(12, 16),
    source.slice(16, 20),
    source.slice(20, 32),
  ];
  return {
    ...all,
    serialNumber: `urn:uuid:${a}-${b}-${c}-${d}-${e}`,
    metadata: {
      ...all.metadata,
      timestamp: date,
      component: { ...all.metadata.component, name: "linkform", type: "application" },
    },
    components,
    dependencies: all.dependencies
      .filter(({ ref }) => ref === own || bundled.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => bundled.has(other)) })),
  };
}

/** Makes the release of the last commit twice, compares both, and runs the action from the tag without npm. */
function dryRun() {
  const scratch = mkdtempSync(path.join(tmpdir(), "linkform-release-"));
  try {
    const { version } = JSON.parse(run("git", ["-C", ROOT, "show", "HEAD:package.json"]));
    const [first, second] = ["first", "second"].map((name) => {
      const checkout = path.join(scratch, name);
      run("git", ["clone", "--quiet", "--no-tags", ROOT, checkout]);
      run("cp", ["-a", ...(isSameDevice(scratch) ? ["--link"] : []), path.join(ROOT, "node_modules"), checkout]);
      const files = path.join(scratch, `${name}-files`);
      return { checkout, files, commit: release(checkout, version, files, true) };
    });
    check(first.commit === second.commit, "two builds of a commit differ");
    for (const name of readdirSync(first.files).filter((one) => one !== "release.bundle"))
      check(
        sha512(path.join(first.files, name)).equals(sha512(path.join(second.files, name))),
        `${name} differs between two builds`,
      );
    console.log(`✓ two builds of the commit are the same: ${first.commit.slice(0, 7)}`);

    checkTags(first, version, scratch);
    checkAction(first, version, scratch);
    checkTarball(first, version, scratch);
    checkSbom(first, version);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** The publishing job has a clone without the release commit, and gets it from the bundle. */
function checkTags({ files, commit }, version, scratch) {
  const clone = path.join(scratch, "publish");
  run("git", ["clone", "--quiet", "--no-tags", ROOT, clone]);
  run("git", ["-C", clone, "fetch", "--quiet", path.join(files, "release.bundle"), "refs/tags/*:refs/tags/*"]);
  for (const tag of [`v${version}`, `v${version.split(".")[0]}`])
    check(run("git", ["-C", clone, "rev-parse", tag]).trim() === commit, `the tag ${tag} is not the release commit`);
  console.log(`✓ release.bundle has the tags v${version} and v${version.split(".")[0]}`);
}

/** As GitHub runs it: the files of the tag, in a folder without node_modules, and a runner without npm. */
function checkAction({ checkout }, version, scratch) {
  const action = path.join(scratch, "action");
  run("git", [
    "clone",
    "--quiet",
    "--depth=1",
    "-c",
    "advice.detachedHead=false",
    "--branch",
    `v${version}`,
    `file://${checkout}`,
    action,
  ]);
  const tools = path.join(scratch, "tools");
  mkdirSync(tools);
  symlinkSync(process.execPath, path.join(tools, "node"));
  const project = path.join(scratch, "project");
  cpSync(path.join(ROOT, "examples/first-link"), project, { recursive: true });
  const env = {
    PATH: tools,
    HOME: scratch,
    GITHUB_WORKSPACE: project,
    RUNNER_TEMP: scratch,
    INPUT_COMMAND: "validate",
  };
  const out = execFileSync(process.execPath, [path.join(action, "action/main.mjs")], {
    env,
    cwd: project,
    encoding: "utf8",
  });
  check(out.includes("Valid: 1 file read."), `the action did not validate:\n${out}`);
  console.log(`✓ the action runs from the tag v${version}, without npm and node_modules`);
}

/** The package has the same program as the tag, and SHA512SUMS and the notes have its hash. */
function checkTarball({ checkout, files }, version, scratch) {
  const name = `linkform-${version}.tgz`;
  run("sha512sum", ["--check", "--quiet", "--strict", "SHA512SUMS"], { cwd: files });
  const integrity = `sha512-${sha512(path.join(files, name)).toString("base64")}`;
  check(readFileSync(path.join(files, "notes.md"), "utf8").includes(integrity), "the notes have another integrity");
  const unpacked = path.join(scratch, "unpacked");
  mkdirSync(unpacked);
  run("tar", ["-xzf", path.join(files, name), "-C", unpacked]);
  const dist = run("git", ["-C", checkout, "ls-tree", "-r", "--name-only", `v${version}`, "dist"])
    .trim()
    .split("\n");
  const packed = readdirSync(path.join(unpacked, "package/dist")).map((file) => `dist/${file}`);
  check(packed.toSorted().join() === dist.toSorted().join(), "the package has other files in dist than the tag");
  for (const file of dist)
    check(
      sha512(path.join(unpacked, "package", file)).equals(sha512(path.join(checkout, file))),
      `${file} differs from the tag`,
    );
  console.log(`✓ ${name} has the program of the tag: ${integrity}`);
}

/** The comments that esbuild writes name the files that it bundled. */
function checkSbom({ checkout, files }, version) {
  const sbom = JSON.parse(readFileSync(path.join(files, `linkform-${version}.cdx.json`), "utf8"));
  check(sbom.bomFormat === "CycloneDX" && /^1\.\d$/.test(sbom.specVersion), "the SBOM is not CycloneDX");
  check(
    /^urn:uuid:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(sbom.serialNumber),
    "the SBOM has a wrong serial number",
  );
  check(sbom.metadata.component.purl === `pkg:npm/linkform@${version}`, "the SBOM is of another package");
  const dist = path.join(checkout, "dist");
  const code = readdirSync(dist)
    .filter((name) => name.endsWith(".js"))
    .map((name) => readFileSync(path.join(dist, name), "utf8"));
  const names = new Set(
    [...code.join("\n").matchAll(/^ *\/\/ node_modules\/((?:@[^/\n]+\/)?[^/\n]+)\//gm)].map(([, name]) => name),
  );
  check(names.size > 0, "no bundled package was found");
  const versionOf = (name) =>
    JSON.parse(readFileSync(path.join(checkout, "node_modules", name, "package.json"), "utf8")).version;
  const expected = [...names].map((name) => `pkg:npm/${name.replace("@", "%40")}@${versionOf(name)}`).toSorted();
  const listed = sbom.components.map(({ purl }) => purl).toSorted();
  check(
    expected.join() === listed.join(),
    `the SBOM lists ${listed.join(", ")}, but bundled are ${expected.join(", ")}`,
  );
  for (const { purl, hashes } of sbom.components)
    check(hashes?.[0]?.alg === "SHA-512", `the SBOM has no hash of ${purl}`);
  console.log(`✓ the SBOM lists the ${listed.length} bundled packages`);
}

/** Hard links need one file system. */
function isSameDevice(folder) {
  try {
    run("cp", ["--link", path.join(ROOT, "package.json"), path.join(folder, "probe")], { stdio: "ignore" });
    return existsSync(path.join(folder, "probe"));
  } catch {
    return false;
  }
}

function check(isTrue, problem) {
  if (!isTrue) throw new Error(`The dry run failed: ${problem}.`);
}

function sha512(file) {
  return createHash("sha512").update(readFileSync(file)).digest();
}

function run(command, args, { cwd, env, stdio } = {}) {
  return execFileSync(command, args, {
    cwd,
    env: { ...process.env, npm_config_offline: "true", npm_config_update_notifier: "false", ...env },
    stdio: stdio ?? ["ignore", "pipe", "inherit"],
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
}
