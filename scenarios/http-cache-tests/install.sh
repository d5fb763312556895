#!/bin/sh
# Installs the public HTTP caching suite into scenarios/target/http-cache-tests, or does nothing when it is there already.
# Needs Node and the npm registry, nothing else from the network; asks no questions.
set -eu
cd "$(dirname "$0")"
exec </dev/null
here=$(pwd)
into=../target/http-cache-tests
mkdir -p "$into"

# One installation at a time: two gates may ask at once.
if command -v flock >/dev/null 2>&1; then
  exec 9<.
  flock 9
fi

wanted=$({ node --version; cksum package.json package-lock.json .npmrc; } | cksum)
cp package.json package-lock.json .npmrc verdicts.mjs "$into/"
cd "$into"
if [ -f .stamp ] && [ "$(cat .stamp)" = "$wanted" ]; then
  echo "http-cache-tests: up to date"
  exit 0
fi
rm -f .stamp
npm ci --ignore-scripts --no-audit --no-fund
printf '%s\n' "$wanted" >.stamp
echo "http-cache-tests: installed by $here"
