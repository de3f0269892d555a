#!/usr/bin/env bash
# Packs the package, installs it in an empty folder and runs the main job there, as whoever installs it would.
# Takes a scratch folder. What is needed at run time is bundled, so nothing else may be installed.
set -euo pipefail
scratch=$(cd "$1" && pwd)
repository=$PWD

tarball=$(npm pack --silent --pack-destination "$scratch")
tar -tzf "$scratch/$tarball" | sed 's#^package/##' | sort >"$scratch/packed.txt"
if grep -Ev '^(dist/[A-Za-z0-9_-]+\.js|dist/THIRD-PARTY-LICENSES\.txt|schemas/[a-z-]+\.schema\.json|package\.json|README\.md|LICENSE|CHANGELOG\.md)$' "$scratch/packed.txt"; then
  echo "The package holds files that nobody needs (above)." >&2
  exit 1
fi

mkdir "$scratch/empty"
cd "$scratch/empty"
npm install --silent --no-audit --no-fund "$scratch/$tarball"
test "$(ls node_modules)" = linkform
PATH=$PWD/node_modules/.bin:$PATH
test "$(linkform --version)" = "$(node -p 'require(process.argv[1]).version' "$repository/package.json")"

linkform sandbox --rate-limit 0 >sandbox.txt &
sandbox=$!
trap 'kill $sandbox' EXIT
until grep -q LINKFORM_API_KEY sandbox.txt; do
  kill -0 $sandbox
  sleep 0.1
done
export LINKFORM_API_KEY=sandbox-key
url=$(grep -Eo 'http://[0-9.:]+' sandbox.txt | head -n 1)
printf 'version: 1\nservice: { base_url: "%s" }\nlinks: { go.example.com/hello: { url: https://example.com/ } }\n' "$url" >linkform.yaml
linkform validate
linkform plan --out plan.json
linkform apply plan.json
linkform plan --detailed-exitcode
linkform drift
