# shellcheck shell=sh disable=SC3012 # every sh in use compares texts with < and >
# publish.sh runs this at the target. It prints four lines: the target as an absolute path, the live release, the one
# before it, and the digest of the configuration that the server has loaded.
set -eu
if ! [ -d "$1" ]; then printf '%s\n' "$1" - - none; exit; fi
cd "$1"
pwd
if ! [ -L current ]; then printf '%s\n' - - none; exit; fi
site=$(readlink current) live=$(readlink current/pages) earlier=- loaded=unknown newest=''
site=${site##*/} live=${live##*/}
for each in releases/2*; do
  newest=${each##*/}
  if [ "$newest" \< "$live" ]; then earlier=$newest; fi
done
if [ -f loaded ] && [ "$(cat loaded)" = "$site" ]; then loaded=$site; fi
# A newer entry than a release that the server may not have loaded: --back was interrupted, and this run completes it.
if [ "$loaded" = unknown ] && [ "$newest" != "$live" ]; then earlier=$live; fi
printf '%s\n' "$live" "$earlier" "$loaded"
