#!/usr/bin/env bash
# Packs the package, looks at what is in it, installs it in an empty folder and runs the main job there, as whoever installs it
# would: with each line of Node that is supported. Takes a scratch folder. What is needed at run time is bundled, so nothing
# else may be installed.
set -euo pipefail
scratch=$(cd "$1" && pwd)
repository=$PWD
versions=$(node scripts/nodes.mjs --list)

tarball=$scratch/$(npm pack --silent --pack-destination "$scratch")

# Each file by name, but for the parts of the bundle: those are named after a command or a module, and their own hash.
tar -tzf "$tarball" | sed 's#^package/##' | LC_ALL=C sort >"$scratch/packed.txt"
(
  printf '%s\n' CHANGELOG.md LICENSE README.md package.json
  printf 'dist/%s\n' {cli,index,main,sandbox}.js{,.map} {index,sandbox}.d.ts THIRD-PARTY-LICENSES.txt
  ls schemas/*.schema.json
) | LC_ALL=C sort >"$scratch/expected.txt"
grep -Ev '^dist/[a-z-]+-[A-Z0-9]{8}\.js(\.map)?$' "$scratch/packed.txt" | diff "$scratch/expected.txt" - || {
  echo "The package does not hold what it should: < is missing, > is too much." >&2
  exit 1
}

npm run --silent publint -- "$tarball"
# It has much to say of resolutions that don't matter to ES modules, so it speaks only if something is wrong.
npm run --silent attw -- --quiet "$tarball" || {
  npm run --silent attw -- "$tarball"
  exit 1
}

mkdir "$scratch/empty"
cd "$scratch/empty"
npm install --silent --no-audit --no-fund "$tarball"
test "$(ls node_modules)" = linkform
cp -r "$repository/test/package/." .
node "$repository/scripts/doc-files.mjs" "$repository/docs/library.md" .

# The types are enough by themselves, in the ways in which modules are found today, without those of Node and with them.
for resolution in "node16 node16" "nodenext nodenext" "esnext bundler"; do
  read -r module resolution <<<"$resolution"
  strict=(--ignoreConfig --noEmit --strict --exactOptionalPropertyTypes --skipLibCheck false --target es2023 --module "$module" --moduleResolution "$resolution")
  "$repository/node_modules/.bin/tsc" "${strict[@]}" --types "" types.mts
  "$repository/node_modules/.bin/tsc" "${strict[@]}" --typeRoots "$repository/node_modules/@types" --types node --lib es2023 --allowJs --checkJs types.mts deploy.mjs links.test.mjs
done

expected=$(node -p 'require(process.argv[1]).version' "$repository/package.json")
for version in $versions; do
  printf -- '-- Node %s\n' "$version"
  npx --yes --package "node@$version" -c "bash '$repository/scripts/installed.sh' '$expected'"
done
