// The script that uploads a build with the AWS command line. It uploads every page before those that lead to it, and
// documents first, because one of them tells the next build which cursors are to stay valid.
// https://docs.aws.amazon.com/cli/latest/reference/s3/sync.html
import { apiFolder, errorFolder } from "../../routing/paths.ts";
import type { RoutingTable } from "../../routing/table.ts";

export function uploadScript({ operations, documents, headers, errorCacheControl }: RoutingTable): string {
  const each = (command: string, of: RoutingTable["operations"]) =>
    of.map(({ name, cacheControl }) => `${command} ${name} ${quoted(cacheControl)}`).join("\n");
  const paged = operations.filter(({ params }) => params.some(({ kind }) => kind === "cursor"));
  const errors = errorFolder.slice(apiFolder.length + 1);
  const type = quoted(headers["Content-Type"] ?? "");
  const inFolder = documents.filter(({ file }) => file.startsWith(`${apiFolder}/`));
  const endings = new Set(["json", ...inFolder.map(({ file }) => file.replace(/.*\./, ""))]);
  const included = [...endings].map((each) => `--include '*.${each}'`).join(" ");
  return `#!/bin/sh
# Uploads a build of edge-api. The second argument is the stack that was made of template.json, or a bucket:
#   sh upload.sh dist edge-api
#   sh upload.sh dist s3://my-bucket
# It uploads answers only, not what the build holds for other hosts, and of pages and errors those that are newer here or
# of another size. To go back to an older build, build it again. Objects keep the headers they were uploaded with.
set -eu
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
    bucket=$2
    address=
    ;;
  *)
    bucket=s3://$(output "$2" Bucket)
    address=$(output "$2" Address)
    ;;
esac
bucket=\${bucket%/}
root=$1
from=$root/${apiFolder}
to=$bucket/${apiFolder}
put() { aws s3 "$@" --only-show-errors; }
# A document, its type, and how long it may be kept.
document() { put cp "$root/$1" "$bucket/$1" --content-type "$2" --cache-control "$3"; }
sync_folder() {
  folder=$1 cache=$2
  shift 2
  [ ! -d "$from/$folder" ] || put sync "$from/$folder" "$to/$folder" --content-type ${type} --cache-control "$cache" \\
    --exclude '*' "$@"
}
# Pages that first pages lead to are uploaded before those.
later_pages() { sync_folder "$1" "$2" --include '*cursor/*.json'; }
first_pages() {
  sync_folder "$1" "$2" --include '*.json'
  document ${apiFolder}/"$1.json" ${type} "$2"
}

${documents
  .map(({ file, contentType, cacheControl }) => `document ${file} ${quoted(contentType)} ${quoted(cacheControl)}`)
  .join("\n")}
sync_folder ${errors} ${quoted(errorCacheControl)} --include '*.json'
${each("later_pages", paged)}
${each("first_pages", operations)}
# Everything is there by now, so this only removes what is no longer here: pages with a cursor after those that lead to
# them.
put sync "$from" "$to" --exclude '*' ${included} --exclude '*cursor/*' --delete --size-only
put sync "$from" "$to" --exclude '*' --include '*cursor/*.json' --delete --size-only
[ -z "$address" ] || echo "$address/${apiFolder}"
`;
}

/** As one word of a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
