#!/usr/bin/env bash
# Uploads a build of stillapi to S3 with the AWS command line:
#   bash upload.sh dist STACK                  STACK is a stack of template.json
#   bash upload.sh dist s3://BUCKET COMMAND    COMMAND deploys function.js to the distribution in front of BUCKET
# The script sends only the files of the API, and only those that differ from the last upload. stillapi.list in the
# bucket records the digest of each object. A path whose digest is "-" may hold any bytes: an upload was interrupted.
# To go back to an older build, build it again.
[ -n "${BASH_VERSION:-}" ] || exec bash "$0" "$@"
set -euo pipefail
export LC_ALL=C

fail() {
  echo "$1" >&2
  exit 1
}
target=${2:-}
case $target in s3://*) arguments=3 ;; *) arguments=2 ;; esac
if [ $# -ne "$arguments" ] || [ ! -f "$1/routing.json" ]; then
  echo "usage: bash upload.sh <build> <stack>
       bash upload.sh <build> s3://<bucket> <command that deploys function.js>" >&2
  exit 2
fi
root=$(cd "$1" && pwd -P)
beside=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
digest=(sha256sum)
command -v sha256sum >/dev/null || digest=(shasum -a 256)

# --- The build: a line for each file, with its digest, Content-Type, Cache-Control and path ---

touch "$work/start"
# A build holds its lock while it changes files. build/output/location.ts defines the lock's name: the name of the folder,
# shortened and with a hash if it is long.
folder=${root##*/}
hash=$(printf %s "$folder" | "${digest[@]}")
for lock in "${root%/*}/.$folder.staging" "${root%/*}"/.*-"${hash:0:8}.staging" "$root/.staging"; do
  [ ! -e "$lock" ] || fail "A build is writing $root, or was killed: there is $lock. Upload when a build has finished."
done
# The routing table of a folder, without the list of the files that the build owns there.
table_in() { sed 's/,"owns":\[[^]]*\]}$/}/' "$1/routing.json"; }
setting() { awk -F'|' -v key="$1" '$1 == key { print $2 }' "$work/objects.list"; }

cp "$beside/objects.list" "$beside/template.json" "$work"
configuration=$(setting configuration)
if [ "$(table_in "$beside/..")" != "$(table_in "$root")" ] || ! grep -q "\"$configuration\"" "$work/template.json"; then
  fail "$root is not the build that $beside belongs to. Build again with --host cloudfront."
fi
(cd "$root" && find . -type f) | sed 's/^..//' | awk -F'|' '
  FILENAME == ARGV[1] { if ($1 == "object") { pattern[++n] = $2; headers[n] = $3 "|" $4 } next }
  /^[A-Za-z0-9_.~\/-]+$/ { for (i = 1; i <= n; i++) if ($0 ~ pattern[i]) { print headers[i] "|" $0; next } }
' "$work/objects.list" - >"$work/found"
cut -d'|' -f3 "$work/found" | (cd "$root" && xargs "${digest[@]}") | cut -c1-64 >"$work/digests"
paste -d'|' "$work/digests" "$work/found" | sort >"$work/here"

# --- The bucket: its contents, and the records of the last upload ---

distribution='' address='' deploy=${3:-}
if [ -n "$deploy" ]; then
  bucket=${target%/}
else
  aws cloudformation describe-stacks --stack-name "$target" --output text \
    --query 'Stacks[0].Outputs[].[OutputKey,OutputValue]' >"$work/stack"
  output() { awk -F'\t' -v key="$1" '$1 == key { print $2 }' "$work/stack"; }
  bucket=s3://$(output Bucket)
  distribution=$(output Distribution)
  address=$(output Address)
  deployed=$(output Configuration)
  [ "$bucket" != s3:// ] || fail "The stack $target has no bucket. Was it made from template.json?"
fi
name=${bucket#s3://} prefix=''
if [ "${name#*/}" != "$name" ]; then
  prefix=${name#*/}/
  name=${name%%/*}
fi
list() {
  aws s3api list-objects-v2 --bucket "$name" --prefix "$prefix$1" --query 'Contents[].[Key]' --output text </dev/null |
    awk -v prefix="$prefix" 'index($0, prefix) == 1 { print substr($0, length(prefix) + 1) }'
}
: >"$work/recorded"
list stillapi.list >"$work/listed"
if grep -qx 'stillapi[.]list' "$work/listed"; then
  aws s3 cp "$bucket/stillapi.list" "$work/recorded" --only-show-errors </dev/null
  cut -d'|' -f4 "$work/recorded" >"$work/present"
fi
if [ ! -s "$work/recorded" ] || grep -q '^-' "$work/recorded"; then list "$(setting folder)" >"$work/present"; fi
if [ ! -s "$work/recorded" ]; then
  echo "The bucket has no stillapi.list, so everything is uploaded."
  awk -v folder="$(setting folder)" '$0 == folder ".json" || index($0, folder "/") == 1 { print "-|-|-|" $0 }' \
    "$work/present" >"$work/recorded"
fi
if [ -n "$deploy" ]; then deployed=$(awk -F'|' '$1 == "configuration" { print $2 }' "$work/recorded"); fi

# --- The plan: a line for each file to send or remove, by the order of publication in build/routing/paths.ts ---
#
# 1 the state of earlier builds, 2 new pages with a cursor and single items, 3 those that an interrupted upload may have
# sent, 4 new files, 5 changed files, 6 the list of changes, 7 stale files, 8 stale pages with a cursor and single items

cursors=$(setting cursors)
changes=$(setting changes)
behind=$(setting behind | paste -sd '|' -)
awk -F'|' -v cursors="$cursors" -v changes="$changes" -v behind="$behind" -v unchanged="$work/underway" '
  FILENAME == ARGV[1] { present[$0]; next }
  FILENAME == ARGV[2] { if (NF == 4) recorded[$4] = $0; next }
  {
    here[$4]
    known = $4 in recorded ? recorded[$4] : "-"
    if ($4 in present && known == $0) { print >unchanged; next }
    if ($4 ~ cursors) step = 1
    else if ($4 ~ changes) step = 6
    else if ($4 ~ behind && !($4 in present)) step = 2
    else if ($4 ~ behind && known ~ /^-/) step = 3
    else step = $4 in present ? 5 : 4
    print step "|" $0
  }
  END { for (path in recorded) if (!(path in here)) print (path ~ behind ? 8 : 7) "|-|-|-|" path }
' "$work/present" "$work/recorded" "$work/here" | sort -t'|' -k1,1 -k3 >"$work/plan"
if [ ! -s "$work/plan" ] && [ "$deployed" = "$configuration" ]; then
  echo "$bucket is up to date. Nothing was uploaded."
  exit
fi

# --- A copy of the files to send, checked to be from one build ---

: >"$work/groups"
awk -F'|' -v work="$work" '$1 < 7 {
  group = $1 "|" $3 "|" $4
  if (group != last) { last = group; file = sprintf("%03d", ++n); print file "|" group >(work "/groups") }
  print $2 "  " $5 >(work "/" file ".sums")
}' "$work/plan"
while IFS='|' read -r group _; do
  mkdir "$work/$group"
  cut -c67- "$work/$group.sums" | tar -cf - -C "$root" -T - | tar -xf - -C "$work/$group" ||
    fail "$root cannot be copied. Nothing was uploaded."
  (cd "$work/$group" && "${digest[@]}" -c <"../$group.sums" >/dev/null) || fail "$root changed. Nothing was uploaded."
done <"$work/groups"
changed=$(find "$root" -newer "$work/start" | wc -l)
[ "$changed" -eq 0 ] || fail "$root changed. Nothing was uploaded."

# --- The upload: the bucket holds old and new files until the new configuration is deployed ---

record() {
  aws s3 cp "$work/$1" "$bucket/stillapi.list" --content-type text/plain --cache-control no-store --only-show-errors
}
awk -F'|' '{ print "-|-|-|" $5 }' "$work/plan" >>"$work/underway"
echo "configuration|$deployed" >>"$work/underway"
echo "configuration|$configuration" >>"$work/here"
record underway
while IFS='|' read -r group _ type cache; do
  aws s3 cp "$work/$group" "$bucket" --recursive --content-type "$type" --cache-control "$cache" \
    --only-show-errors </dev/null
done <"$work/groups"
if [ "$deployed" != "$configuration" ]; then
  echo "The configuration has changed and is deployed now."
  if [ -n "$deploy" ]; then
    bash -c "$deploy"
  else
    aws cloudformation deploy --stack-name "$target" --template-file "$work/template.json" --no-fail-on-empty-changeset
    aws cloudfront wait distribution-deployed --id "$distribution"
  fi
fi
for step in 7 8; do
  # Each request removes at most 1,000 objects, and an argument has at most 128 kB.
  awk -F'|' -v step="$step" -v prefix="$prefix" '
    $1 == step { printf "%s{Key=%s%s}", (n++ == 0 ? "" : n % 300 == 1 ? "\n" : ","), prefix, $5 }
    END { if (n) print "" }
  ' "$work/plan" >"$work/stale"
  while read -r keys; do
    errors=$(aws s3api delete-objects --bucket "$name" --delete "Objects=[$keys],Quiet=true" --query Errors \
      --output text </dev/null)
    [ "$errors" = None ] || fail "S3 did not remove every stale file: $errors"
  done <"$work/stale"
done
if [ -n "$distribution" ]; then
  # One path with an asterisk costs as much as one without, and a thousand a month cost nothing.
  aws cloudfront create-invalidation --distribution-id "$distribution" --paths '/*' >/dev/null
fi
record here
awk -F'|' '
  { n[$1]++ }
  END { print n[2] + n[4] + 0 " new, " n[1] + n[3] + n[5] + n[6] + 0 " changed, " n[7] + n[8] + 0 " stale files." }
' "$work/plan"
[ -z "$address" ] || echo "$address$(setting base)"
