# shellcheck shell=sh
# shellcheck disable=SC2154 # publish.sh reads this file, and sets the variables
# Publishes with --in-place, in passes that leave every cursor a page.

filter=$here/publish.filter
# shellcheck disable=SC2016,SC2086 # the script expands at the target; one argument for each file
there '
  if ! [ -d "$1" ]; then exit; fi
  cd "$1"; api=$2; shift 2
  if [ -e "$api" ] && ! [ -e routing.json ]; then odd=$api; fi
  for file; do if [ -e "$file" ] && ! grep -q stillapi "$file"; then odd=$file; fi; done
  if [ -n "${odd-}" ]; then echo "publish.sh: stillapi did not write $odd there. Move it away." >&2; exit 1; fi
' "$API" $ROOT_FILES
# The sent files must not change meanwhile, so they are links: a build replaces its files and never modifies them.
copy=$(mktemp -d "${dist%/*}/.${dist##*/}.staging-publish.XXXXXX")
trap 'rm -rf "$copy"' EXIT
trap 'exit 1' HUP INT TERM
rsync --recursive --links --times --link-dest="$dist" "$dist/" "$copy/"
verify
if [ -n "$dry" ]; then
  send "$copy" "$root" --dry-run --itemize-changes --delete --include-from="$filter"
  exit
fi
# shellcheck disable=SC2016
there 'mkdir -p "$1"'
# The state of earlier builds, then pages behind cursors and single items before the pages that lead to them; stale ones
# in reverse.
for step in state behind new changed stale-first stale; do
  case $step in
    state) set -- --prune-empty-dirs --include='*/' --include="/$API/cursors*.json" --exclude='*' ;;
    behind) set -- --ignore-existing --prune-empty-dirs --include='*/' --include='item/**' --exclude='!cursor/*' ;;
    new) set -- --ignore-existing ;;
    changed) set -- ;;
    stale-first) set -- --existing --ignore-existing --delete --filter='P cursor/*' --filter='P item/**' ;;
    stale) set -- --existing --ignore-existing --delete ;;
  esac
  send "$copy" "$root" "$@" --include-from="$filter"
done
echo "Published to $target."
