#!/bin/sh
# run.sh BASE [ID]: lets the suite's client ask BASE, which stands before the suite's server.
# Prints one line for each test: id, kind, verdict and name with tabs between; with an ID that test's own transcript.
set -eu
exec </dev/null
base=$1
id=${2:-}
cd "$(dirname "$0")/../target/http-cache-tests"

# The suite's scripts are told so by npm.
export npm_config_base="$base" npm_config_id="$id" npm_package_config_id=
client=node_modules/http-cache-tests/cli.mjs
if [ -n "$id" ]; then
  exec node --no-warnings "$client"
fi
results=$(mktemp results-XXXXXX)
trap 'rm -f "$results"' EXIT
node --no-warnings "$client" >"$results"
node --no-warnings verdicts.mjs "$results"
