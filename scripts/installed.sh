#!/usr/bin/env bash
# Runs the main job with the package that is installed in the working directory, as a program and as a library, with the Node
# that is first in PATH. Takes the version that it must have.
set -euo pipefail
export PATH=$PWD/node_modules/.bin:$PATH
export LINKFORM_API_KEY=sandbox-key LINKFORM_SECRET_PRESS=press
node --version
test "$(linkform --version)" = "$1"

# What an earlier run left tells of a sandbox that is gone.
: >sandbox.txt
linkform sandbox --rate-limit 0 >sandbox.txt &
sandbox=$!
trap 'kill $sandbox' EXIT
until grep -q LINKFORM_API_KEY sandbox.txt; do
  kill -0 $sandbox
  sleep 0.1
done
url=$(grep -Eo 'http://[0-9.:]+' sandbox.txt | head -n 1)
# In CI, linkform sends the key only to an address that comes from outside the files.
export LINKFORM_BASE_URL=$url

# From a folder above, so that it is the package and not the folder that is found.
mkdir -p project
cd project
printf 'version: 1\nservice: { base_url: "%s" }\nlinks: { go.example.com/first: { url: https://example.com/ } }\n' "$url" >linkform.yaml
linkform validate
linkform plan --out plan.json
linkform apply plan.json
linkform plan --detailed-exitcode
linkform drift
cd ..

# Begun with what is in the package: workflows and schemas.
rm -rf begun
mkdir begun
cd begun
linkform init --base-url "$url" --ci gitlab --ci-image linkform:0.1.0
grep -q resource_group .gitlab/linkform.yml
test -s .linkform/schemas/project.schema.json
linkform validate
linkform plan --detailed-exitcode
cd ..

node deploy.mjs
node --test links.test.mjs
node required.cjs
