#!/bin/sh
# Publishes the build beside this script. POSIX sh, because not every server or CI image has bash. Errors end the script:
# no pipeline decides anything, and no function is called in a condition, which would switch off set -e in it.
#
#   TARGET/releases/TIME-DIGEST   the pages of a publication and their configuration; unchanged pages are hard links
#   TARGET/DIGEST                 the link to the release that a server with this configuration answers from
#   TARGET/current                the link to the DIGEST whose configuration the server includes
#   TARGET/loaded                 the DIGEST that the server has loaded; missing if unknown
#
# New data switches the link DIGEST. A new configuration switches `current` and reloads the server. Until then, and in
# its old workers, the server answers from the old release by the old rules.
# shellcheck disable=SC2153 # RELOAD is a setting, reload an option
set -eu
export LC_ALL=C
fail() { printf 'publish.sh: %s\n' "$1" >&2; exit "${2:-1}"; }
case $0 in */*) here=${0%/*} ;; *) here=. ;; esac
here=$(cd "$here" && pwd)
beside=${here%/*} dist=${here%.hosts/*}

# A build replaces files by renames while it holds its lock. If the inodes are the same before and after the pages are
# read, and the lock was free in between, no build has changed them meanwhile.
inodes() { find "$dist" "$beside" -exec ls -di {} +; }
before=$(inodes)
# The names of the lock are those of build/output/location.ts: a long name is cut, and has its hash.
digest=sha256sum
command -v sha256sum >/dev/null || digest='shasum -a 256'
hash=$(printf %s "${dist##*/}" | $digest)
for lock in "${dist%/*}/.${dist##*/}.staging" "${dist%/*}"/.*-"${hash%"${hash#????????}"}.staging" "$dist/.staging"; do
  [ ! -e "$lock" ] ||
    fail "A build is writing $dist, so nothing was sent: there is $lock. Try again when it has finished. If none is running, build again."
done

# shellcheck source=/dev/null
. "$here/publish.settings"
usage="Usage: sh publish.sh [--reload] [--replace] [--back] TARGET

Publishes this build to a server with $TITLE. TARGET is a folder, or host:folder over ssh.
--reload runs '$CHECK' and '$RELOAD' there if the configuration has changed; CHECK and RELOAD replace them.
--replace publishes an API with another base in place of the one there.
--back goes back to the release before the present one. RSYNC_RSH replaces ssh."
reload='' back='' replace='' target=''
for argument; do
  case $argument in
    --help) printf '%s\n' "$usage"; exit ;;
    --reload) reload=$RELOAD ;;
    --back) back=yes ;;
    --replace) replace=yes ;;
    -*) fail "$usage" 2 ;;
    *) target=${target:+$usage}${argument} ;;
  esac
done
case $target in '' | Usage:*) fail "$usage" 2 ;; *::* | rsync://*) fail "TARGET must be a folder, or host:folder." 2 ;; esac
host='' root=$target
case ${target%%/*} in *:*) host=${target%%:*} root=${target#*:} root=${root#\~/} ;; esac
case $host:$root in *:) fail "Name a folder after $host:" 2 ;; :[!/]*) root=$PWD/$root ;; esac

# A folder without a part of the build would remove that part.
if [ -z "$back" ]; then
  for file in $FILES; do
    [ -f "$dist/$file" ] || fail "$dist is not a whole build: it has no $file. Nothing was sent. Build again."
  done
fi

# quoted WORD prints a word for a shell, in quotes if it needs them.
quoted() {
  word=$1 text=''
  case $word in *[!A-Za-z0-9_@%+=:,./-]* | '') ;; *) printf %s "$word"; return ;; esac
  while [ "${word#*\'}" != "$word" ]; do text=$text${word%%\'*}"'\\''" word=${word#*\'}; done
  printf "'%s'" "$text$word"
}
# there STEP ARGUMENT… runs a step of target.sh at the target. Each word is quoted for the shell of ssh.
script=$(cat "$here/target.sh")
there() {
  command=''
  for word in sh -c "$script" sh "$@"; do command="$command $(quoted "$word")"; done
  if [ -n "$host" ]; then ${RSYNC_RSH:-ssh} "$host" "$command" </dev/null; else sh -c "$command" </dev/null; fi
}
# send FROM TO OPTION… compares contents. A sent file gets the present time, any other file keeps its time and ETag.
send() {
  from=$1 to=$2
  shift 2
  rsync -s --recursive --links --checksum --chmod=D755,F644 "$@" "$from/" "${host:+$host:}$to/"
}

state=$(there state "$root")
{ read -r root; read -r live; read -r earlier; read -r loaded; read -r pages; } <<END
$state
END
# All three read these characters as syntax, even in quotes. Caddy looks for files by a pattern, and Apache fills in what
# the last condition captured.
case $TITLE:$root in
  *[\"\\\$\{\}]* | Caddy:*[*?[]* | Apache:*%[0-9]*) fail "$TITLE cannot be configured for the folder $root." 2 ;;
esac
new='' changes=''
if [ -n "$back" ]; then
  [ "$earlier" != - ] || fail "$target has no earlier release."
  DIGEST=${earlier##*-}
else
  changes=$(send "$dist" "$root/current/pages" --dry-run --itemize-changes --delete)
  # If OpenAPI of every API is new beside a live release, that release is of another API. The overview may have the path of
  # a page of another API: /api/v1 is also the collection v1 of /api.
  if [ "$live" != - ] && [ -z "$replace" ]; then
    known=''
    for base in $BASE; do
      case "$changes
" in
        *"+++++++++ ${base#/}/openapi.json
"*) ;;
        *) known=yes ;;
      esac
    done
    [ -n "$known" ] ||
      fail "$target has another API, and nothing of $BASE. Nothing was sent. Publish to another folder, or replace that API with --replace." 2
  fi
fi
if [ "$loaded" = "$DIGEST" ]; then load=''; else load=$loaded; fi
if [ -n "$load" ] && [ "$load" != none ] && [ -z "$reload" ]; then
  fail "Nothing was sent, because the configuration changes. With --reload the server runs: $CHECK && $RELOAD"
fi
if [ -z "$back$changes$load" ]; then echo "$target is up to date. Nothing was sent."; exit; fi
if [ -z "$back" ]; then
  new=$(there new "$root")
  # ETags are made of size and time, in seconds: a file that changes twice has to change in two of them.
  # Security patches of rsync 3.2.7 and others discard changed files if the path of --link-dest is relative or has links.
  set --
  if [ "$live" != - ]; then sleep 1; set -- "--link-dest=$pages"; fi
  send "$here" "$root/releases/$new"
  send "$dist" "$root/releases/$new/pages" "$@"
  after=$(inodes)
  [ "$before" = "$after" ] || fail "A build has changed $dist meanwhile, so nothing was published. Try again."
fi
there activate "$root" "$new" "$earlier" "$live" "$DIGEST" "$load" "$CHECK" "$reload" "$ROOT_FILE" "$ROOT_TEXT"
[ "$load" != none ] || [ -n "$reload" ] || echo "Load the configuration in $root/current now: $CHECK && $RELOAD"
if [ -n "$back" ]; then echo "Went back to $earlier."; exit; fi
echo "Published to $target. To go back: sh $(quoted "$0") --back $(quoted "$target")"
