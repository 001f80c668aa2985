// The script that uploads a build with the AWS command line: what has changed, by a list of digests that it keeps in the
// bucket. The sync of that command goes by times, which are new in every checkout. What S3 tells of an object would be
// its digest only without a key of one's own and below the size from which uploads are in parts, and not its headers.
//
// At every moment each cursor on a page leads to a page, as with output/commit.ts.
// https://docs.aws.amazon.com/cli/latest/reference/s3/cp.html
// https://docs.aws.amazon.com/cli/latest/reference/s3api/delete-objects.html
// https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/Invalidation.html
import { apiFolder, errorFolder } from "../../routing/paths.ts";
import type { RoutingTable } from "../../routing/table.ts";

/** Where the list is in the bucket. The function leads nobody there. */
export const listKey = "edge-api.list";

/** So many paths are invalidated: a thousand a month cost nothing. */
const fewPaths = 15;

export function uploadScript({ operations, documents, headers, errorCacheControl }: RoutingTable): string {
  const type = headers["Content-Type"] ?? "";
  const groups = [
    ...documents.map(({ file, contentType, cacheControl }) => [`^${literal(file)}$`, contentType, cacheControl]),
    [`^${errorFolder}/`, type, errorCacheControl],
    ...operations.map(({ name, cacheControl }) => [`^${apiFolder}/${name}(/.*)?[.]json$`, type, cacheControl]),
  ];
  return `#!/bin/sh
# Uploads a build of edge-api. The second argument is the stack that was made of template.json, or a bucket:
#   sh upload.sh dist edge-api
#   sh upload.sh dist s3://my-bucket
# It uploads answers only, not what the build holds for other hosts, and of those what has changed since the last upload.
# To go back to an older build, build it again. ${listKey} in the bucket is a list of what was uploaded; without it,
# everything is uploaded.
set -eu
LC_ALL=C
export LC_ALL
if [ $# -ne 2 ] || [ ! -f "$1/routing.json" ]; then
  echo "usage: sh upload.sh <build> <stack or s3://bucket>" >&2
  exit 2
fi
output() {
  aws cloudformation describe-stacks --stack-name "$1" --output text \\
    --query "Stacks[0].Outputs[?OutputKey=='$2'].OutputValue"
}
case $2 in
  s3://*)
    bucket=\${2%/}
    distribution=''
    address=''
    ;;
  *)
    bucket=s3://$(output "$2" Bucket)
    distribution=$(output "$2" Distribution)
    address=$(output "$2" Address)
    ;;
esac
root=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
put() { aws s3 "$@" --only-show-errors </dev/null; }
if command -v sha256sum >/dev/null; then digest=sha256sum; else digest='shasum -a 256'; fi

# --- What there is here and there: a line for each file, with its digest, type, Cache-Control and path ---

(cd "$root" && find . -type f) | sed 's/^..//' | grep -E '^[A-Za-z0-9_./-]+$' >"$work/found"
# describe FORM TYPE CACHE-CONTROL
describe() {
  grep -E "$1" "$work/found" >"$work/some" || return 0
  (cd "$root" && xargs $digest <"$work/some") | awk -v about="$2|$3" '{ print $1 "|" about "|" $2 }'
}
{
${groups.map((group) => `  describe ${group.map(quoted).join(" ")}`).join("\n")}
} | sort >"$work/here"
if put cp "$bucket/${listKey}" "$work/listed" 2>/dev/null; then
  sort "$work/listed" >"$work/there"
else
  echo "There is no list of an earlier upload, so everything is uploaded."
  : >"$work/there"
fi
paths() { sed 's/.*|//' "$work/$1" | sort; }
# Lines of a list whose path is in another one, or is not.
with_path() { awk -F'|' 'FILENAME == ARGV[1] { known[$0]; next } $4 in known' "$work/$2" "$work/$1"; }
without_path() { awk -F'|' 'FILENAME == ARGV[1] { known[$0]; next } !($4 in known)' "$work/$2" "$work/$1"; }
matching() { grep -E "$1" "$work/$2" || [ $? -eq 1 ]; }
others() { grep -Ev "$1" "$work/$2" || [ $? -eq 1 ]; }
paths here >"$work/here-paths"
paths there >"$work/there-paths"
comm -23 "$work/here" "$work/there" >"$work/sent"
paths sent >"$work/sent-paths"
without_path sent there-paths >"$work/new"
with_path sent there-paths >"$work/changed"
comm -13 "$work/here-paths" "$work/there-paths" >"$work/stale"
if [ ! -s "$work/sent" ] && [ ! -s "$work/stale" ]; then
  echo "$bucket is up to date. Nothing was uploaded."
  exit
fi

# --- The steps ---

# Uploads the files of a list, those with the same headers at once.
send() {
  cut -d'|' -f2-3 "$work/$1" | sort -u >"$work/groups"
  while IFS='|' read -r type cache; do
    rm -rf "$work/stage"
    mkdir "$work/stage"
    awk -F'|' -v about="$type|$cache" '$2 "|" $3 == about { print $4 }' "$work/$1" |
      tar -cf - -C "$root" -T - | tar -xf - -C "$work/stage"
    put cp "$work/stage" "$bucket" --recursive --content-type "$type" --cache-control "$cache"
  done <"$work/groups"
}

# Removes objects, a thousand at a time.
remove() {
  [ -s "$work/$1" ] || return 0
  name=\${bucket#s3://}
  prefix=''
  case $name in
    */*)
      prefix=\${name#*/}/
      name=\${name%%/*}
      ;;
  esac
  rm -f "$work"/part-*
  split -l 1000 "$work/$1" "$work/part-"
  for part in "$work"/part-*; do
    {
      printf '{"Quiet":true,"Objects":['
      sed "s|.*|{\\"Key\\":\\"$prefix&\\"}|" "$part" | paste -sd, -
      printf ']}'
    } >"$work/objects.json"
    aws s3api delete-objects --bucket "$name" --delete "file://$work/objects.json" </dev/null >"$work/removed"
    if grep Errors "$work/removed" >&2; then exit 1; fi
  done
}

# keep LIST: what the next upload knows of this one.
keep() { put cp "$work/$1" "$bucket/${listKey}" --content-type text/plain --cache-control no-store; }

cursor='/cursor/' state='[|]${apiFolder}/cursors(-[0-9]+)?[.]json$'
matching "$state" sent >"$work/step-state"
matching "$cursor" new >"$work/step-new-behind"
others "$cursor|$state" new >"$work/step-new-first"
others "$state" changed >"$work/step-changed"
others "$cursor" stale >"$work/step-stale-first"
matching "$cursor" stale >"$work/step-stale-behind"
# What is about to change counts as unknown until it has.
{ without_path there sent-paths && sed 's/^/-|-|-|/' "$work/sent-paths"; } >"$work/underway"
keep underway
send step-state
send step-new-behind
send step-new-first
send step-changed
remove step-stale-first
remove step-stale-behind
if [ ! -s "$work/there" ]; then
  # What was uploaded without a list. Everything is there by now, so this only removes.
  only() { put sync "$root/${apiFolder}" "$bucket/${apiFolder}" --exclude '*' "$@" --delete --size-only; }
  only ${endings(documents)} --exclude '*cursor/*'
  only --include '*cursor/*.json'
fi
keep here
echo "$(wc -l <"$work/new" | tr -d ' ') new, $(wc -l <"$work/changed" | tr -d ' ') changed," \\
  "$(wc -l <"$work/stale" | tr -d ' ') stale files."

# --- What is in the caches of CloudFront, by its address there and by that of its requests ---

{ others '[|]no-store[|]' changed | sed 's/.*|//' && cat "$work/stale"; } | sort -u >"$work/cached"
if [ -n "$distribution" ] && [ -s "$work/cached" ]; then
  {
    sed 's|^|/|' "$work/cached"
${documents.map(({ file, path }) => `    ! grep -qx ${quoted(literal(file))} "$work/cached" || echo ${quoted(path)}`).join("\n")}
    sed -n 's|^\\(${apiFolder}/[^/.]*\\)[/.].*|/\\1|p' "$work/cached"
  } | sort -u >"$work/addresses"
  if [ "$(wc -l <"$work/addresses")" -le ${fewPaths} ]; then
    xargs aws cloudfront create-invalidation --distribution-id "$distribution" --paths <"$work/addresses" >/dev/null
    echo "Caches forget what has changed."
  else
    echo "Caches keep what has changed as long as its Cache-Control says."
  fi
fi
[ -z "$address" ] || echo "$address/${apiFolder}"
`;
}

/** The options for the files of the API's folder. */
function endings(documents: RoutingTable["documents"]): string {
  const inFolder = documents.filter(({ file }) => file.startsWith(`${apiFolder}/`));
  const all = new Set(["json", ...inFolder.map(({ file }) => file.replace(/.*\./, ""))]);
  return [...all].map((each) => `--include '*.${each}'`).join(" ");
}

const literal = (text: string): string => text.replaceAll(".", "[.]");

/** As one word of a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
