#!/bin/sh
# Builds the standalone server into .next/standalone, or does nothing when lock, sources and Node are those of the last build.
# Needs Node and the npm registry, nothing else from the network; asks no questions.
set -eu
cd "$(dirname "$0")"
exec </dev/null
export NEXT_TELEMETRY_DISABLED=1 CI=1

# One build at a time: two gates may ask at once.
if command -v flock >/dev/null 2>&1; then
  exec 9<.
  flock 9
fi

fingerprint() {
  {
    node --version
    find package.json package-lock.json next.config.mjs build.sh instrumentation.js proxy.js \
      app pages lib public -type f | LC_ALL=C sort | while IFS= read -r file; do
      printf '%s ' "$file"
      cksum <"$file"
    done
  } | cksum
}

stamp=.next/standalone/.stamp
wanted=$(fingerprint)
if [ -f "$stamp" ] && [ -f .next/standalone/server.js ] && [ "$(cat "$stamp")" = "$wanted" ]; then
  echo "next-storefront: up to date"
  exit 0
fi

rm -rf .next
npm ci --ignore-scripts --no-audit --no-fund
./node_modules/.bin/next build
mkdir -p .next/standalone/.next
cp -R .next/static .next/standalone/.next/static
cp -R public .next/standalone/public
printf '%s\n' "$wanted" >"$stamp"
echo "next-storefront: built"
