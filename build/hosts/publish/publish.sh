#!/bin/sh
# Publishes the build beside this script. POSIX sh, because not every server or CI image has bash. Errors end the script:
# no pipeline decides anything, and no function is called in a condition, which would switch off set -e in it.
#
#   TARGET/releases/TIME-DIGEST   the pages of a publication; unchanged files are hard links to the release before
#   TARGET/sites/DIGEST           a configuration, and the link `pages` to the release that it serves
#   TARGET/current                the link to the site that the server includes
#   TARGET/loaded                 the DIGEST of the configuration that the server has loaded; missing if unknown
#
# New data switches the link `pages`. A new configuration makes a new site: the script switches `current` and reloads the
# server. Until then, and in its old workers, the server answers from the old site by the old rules.
# shellcheck disable=SC2016 # the scripts in single quotes expand at the target
# shellcheck disable=SC2153 # RELOAD is a setting, reload an option
set -eu
export LC_ALL=C
fail() {
  printf 'publish.sh: %s\n' "$1" >&2
  exit "${2:-1}"
}
case $0 in */*) here=${0%/*} ;; *) here=. ;; esac
here=$(cd "$here" && pwd)
beside=${here%/*}
dist=${beside%.hosts}

# A build replaces files by renames while it holds its lock. If the inodes are the same before and after the pages are
# read, and the lock was free in between, no build has changed them meanwhile.
inodes() { find "$dist" "$beside" -exec ls -di {} +; }
before=$(inodes)
# The names of the lock are those of build/output/location.ts: a long name is cut, and has its hash.
digest=sha256sum
command -v sha256sum >/dev/null || digest='shasum -a 256'
hash=$(printf %s "${dist##*/}" | $digest)
hash=${hash%"${hash#????????}"}
for lock in "${dist%/*}/.${dist##*/}.staging" "${dist%/*}"/.*-"$hash.staging" "$dist/.staging"; do
  [ ! -e "$lock" ] ||
    fail "A build is writing $dist, so nothing was sent. Try again when it has finished. If none is running, build again."
done
verify() {
  after=$(inodes)
  [ "$before" = "$after" ] || fail "A build has changed $dist meanwhile, so nothing was published. Try again."
}

# shellcheck source=/dev/null
. "$here/publish.settings"
filter=$here/publish.filter
usage="Usage: sh publish.sh [--dry-run] [--reload] [--back | --in-place] TARGET

Publishes this build to a server with $TITLE.

  TARGET      a folder, or host:folder over ssh
  --reload    checks and reloads the server if the configuration has changed
  --back      goes back to the release before the present one
  --in-place  for web space without links: changes the files in TARGET itself
  --dry-run   lists what would change, as rsync does, and changes nothing

Environment: CHECK replaces '$CHECK'
             RELOAD replaces '$RELOAD'
             RSYNC_RSH replaces ssh"
dry='' reload='' back='' in_place='' target=''
for argument; do
  case $argument in
    --help) printf '%s\n' "$usage"; exit ;;
    --dry-run) dry=--dry-run ;;
    --reload) reload=$RELOAD ;;
    --back) back=yes ;;
    --in-place) in_place=yes ;;
    -*) fail "$usage" 2 ;;
    *) target=${target:+$usage}${argument} ;;
  esac
done
case $target in '' | Usage:*) fail "$usage" 2 ;; *::* | rsync://*) fail "TARGET must be a folder, or host:folder." 2 ;; esac
[ -z "$in_place" ] || [ -z "$reload$back" ] || fail "$usage" 2
[ -z "$in_place" ] || [ -f "$filter" ] || fail "$TITLE cannot be published with --in-place: its configuration is not in the pages." 2
host='' root=$target
case ${target%%/*} in *:*) host=${target%%:*} root=${target#*:} root=${root#\~/} ;; esac
case $host:$root in *:) fail "Name a folder after $host:" 2 ;; :[!/]*) root=$PWD/$root ;; esac

# there SCRIPT ARGUMENT… runs a script at the target, with TARGET as $1. Each word is quoted for the shell of ssh.
there() {
  script=$1 command=''
  shift
  for word in sh -euc "umask 022; $script" sh "$root" "$@"; do
    command="$command '"
    while [ "${word#*\'}" != "$word" ]; do command=$command${word%%\'*}"'\\''" word=${word#*\'}; done
    command="$command$word'"
  done
  if [ -n "$host" ]; then ${RSYNC_RSH:-ssh} "$host" "$command" </dev/null; else sh -c "$command" </dev/null; fi
}
# send FROM TO OPTION… compares contents. A sent file gets the present time, any other file keeps its time and ETag.
send() {
  from=$1 to=$2
  shift 2
  rsync -s --recursive --links --checksum --chmod=D755,F644 "$@" "$from/" "${host:+$host:}$to/"
}


if [ -n "$in_place" ]; then
  # shellcheck disable=SC2086 # one argument for each file
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
  there 'mkdir -p "$1"'
  # The state of earlier builds, then pages behind cursors and single items before the pages that lead to them; stale ones
  # in reverse.
  for step in state behind new changed stale-first stale; do
    case $step in
      state)
        set -- --include="/$API/cursors*.json" --exclude='*'
        folder=$API
        while set -- --include="/$folder/" "$@"; [ "${folder%/*}" != "$folder" ]; do folder=${folder%/*}; done
        ;;
      behind) set -- --ignore-existing --prune-empty-dirs --include='*/' --include='item/**' --exclude='!cursor/*' ;;
      new) set -- --ignore-existing ;;
      changed) set -- ;;
      stale-first) set -- --existing --ignore-existing --delete --filter='P cursor/*' --filter='P item/**' ;;
      stale) set -- --existing --ignore-existing --delete ;;
    esac
    send "$copy" "$root" "$@" --include-from="$filter"
  done
  echo "Published to $target."
  exit
fi

# Four lines: TARGET as an absolute path, the live release, the one before it, the DIGEST that the server has loaded.
state=$(there '
  if ! [ -d "$1" ]; then printf "%s\n" "$1" - - none; exit; fi
  cd "$1"; pwd
  if ! [ -L current ]; then printf "%s\n" - - none; exit; fi
  site=$(readlink current) live=$(readlink current/pages) earlier=- loaded=unknown
  site=${site##*/} live=${live##*/}
  for each in releases/2*; do
    newest=${each##*/}
    if [ "$newest" \< "$live" ]; then earlier=$newest; fi
  done
  if [ -f loaded ] && [ "$(cat loaded)" = "$site" ]; then loaded=$site; fi
  # A newer entry than a release that the server may not have loaded: --back was interrupted, and this run completes it.
  if [ "$loaded" = unknown ] && [ "$newest" != "$live" ]; then earlier=$live; fi
  printf "%s\n" "$live" "$earlier" "$loaded"
')
{ read -r root; read -r live; read -r earlier; read -r loaded; } <<END
$state
END
case $root in *[\"\\\$\{\}]*) fail "$TITLE cannot be configured for the folder $root." 2 ;; esac
new='' changes=''
if [ -n "$back" ]; then
  [ "$earlier" != - ] || fail "$target has no earlier release."
  DIGEST=${earlier##*-}
  [ -z "$dry" ] || echo "Back from $live to $earlier"
else
  changes=$(send "$dist" "$root/current/pages" --dry-run --itemize-changes --delete)
  [ -z "$dry" ] || printf '%s\n' "$changes"
fi
load=$loaded
[ "$load" != "$DIGEST" ] || load=''
if [ -n "$load" ] && [ "$load" != none ] && [ -z "$reload" ]; then
  [ -z "$dry" ] || { echo "The configuration changes, which takes --reload."; exit; }
  fail "Nothing was sent, because the configuration changes. With --reload the server runs: $CHECK && $RELOAD"
fi
[ -z "$dry" ] || exit 0
if [ -z "$back$changes$load" ]; then echo "$target is up to date. Nothing was sent."; exit; fi

if [ -z "$back" ]; then
  new=$(there '
    mkdir -p "$1/releases" "$1/sites/$2"; cd "$1/releases"
    find . -maxdepth 1 -name ".new.*" -mtime +0 -exec rm -rf {} +
    new=$(mktemp -d .new.XXXXXX); chmod 755 "$new"; echo "$new"
  ' "$DIGEST")
  # ETags are made of size and time, in seconds: a file that changes twice has to change in two of them.
  set --
  if [ "$live" != - ]; then sleep 1; set -- --link-dest=../../current/pages; fi
  send "$dist" "$root/releases/$new" "$@"
  set --
  for file in $FILES; do set -- "$@" --include="/$file"; done
  send "$here" "$root/sites/$DIGEST" "$@" --exclude='*'
  verify
fi
there '
  cd "$1"; root=$1 new=$2 release=$3 live=$4 digest=$5 load=$6 check=$7 reload=$8 file=$9 text=${10} was=""
  # The lock is the number of this process. A killed process does not hold it, even as a zombie (Z).
  if ! ln -s $$ lock 2>/dev/null; then
    holder=$(readlink lock)
    if kill -0 "$holder" 2>/dev/null; then
      case $(ps -o stat= -p "$holder" 2>/dev/null) in
        Z*) ;;
        *) echo "publish.sh: Another process is publishing there. If none is, remove $root/lock." >&2; exit 1 ;;
      esac
    fi
    rm -f lock; ln -s $$ lock
  fi
  trap "rm -f lock" EXIT
  now=-
  if [ -L current ]; then now=$(readlink current/pages); fi
  if [ "${now##*/}" != "$live" ]; then echo "publish.sh: Another process has published there meanwhile." >&2; exit 1; fi
  # point TO LINK: mv replaces the link in one step, and does not follow it with -T (GNU, busybox) or -h (BSD).
  point() {
    rm -f "$2.new"; ln -s "$1" "$2.new"
    mv -T "$2.new" "$2" 2>/dev/null || mv -h "$2.new" "$2"
  }
  undo() {
    if [ -n "$was" ]; then point "$was" current; else rm current; fi
    echo "publish.sh: $1, so the configuration before is back." >&2; exit 1
  }
  if [ -n "$new" ]; then
    release=$(date -u +%Y%m%dT%H%M%S).${new#.new.}-$digest
    if ! [ "$release" \> "$live" ]; then echo "publish.sh: The clock there is behind the release $live." >&2; exit 1; fi
    mv "releases/$new" "releases/$release"
    printf "$text\n" "$root/sites/$digest/pages" >"sites/$digest/$file.new"
    mv "sites/$digest/$file.new" "sites/$digest/$file"
  fi
  point "../../releases/$release" "sites/$digest/pages"
  if [ "$load" = none ] && [ -z "$reload" ]; then
    echo "$digest" >loaded
    point "sites/$digest" current
  elif [ -n "$load" ]; then
    if [ -L current ]; then was=$(readlink current); fi
    point "sites/$digest" current
    if ! sh -c "$check"; then undo "The server refuses the configuration"; fi
    rm -f loaded
    if ! sh -c "$reload"; then undo "The server has not reloaded"; fi
    echo "$digest" >loaded
  fi
  if [ -z "$new" ]; then exit; fi
  # Keeps the last five live releases. A release newer than the previous one was rolled back, or was never live.
  set --
  for each in releases/2*; do
    if [ "$each" = "releases/$release" ] || ! [ "$each" \> "releases/$live" ]; then set -- "$@" "$each"; continue; fi
    mv "$each" "releases/.old.${each#*/}"
  done
  while [ $# -gt 5 ]; do mv "$1" "releases/.old.${1#*/}"; shift; done
  rm -rf releases/.old.*
  for site in sites/*; do case " $* " in *"-${site#*/} "*) ;; *) rm -rf "$site" ;; esac; done
' "$new" "$earlier" "$live" "$DIGEST" "$load" "$CHECK" "$reload" "$ROOT_FILE" "$ROOT_TEXT"
[ "$load" != none ] || [ -n "$reload" ] || echo "Load the configuration in $root/current now: $CHECK && $RELOAD"
if [ -n "$back" ]; then echo "Went back to $earlier."; exit; fi
echo "Published to $target. To go back: sh $0 --back $target"
