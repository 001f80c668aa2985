# shellcheck shell=sh disable=SC3012 # every sh in use compares texts with < and >
# The steps of `publish` at the target. A step ends with 3 if it refuses; the reason is then on standard output.
set -eu
export LC_ALL=C
umask 022
fail() { printf '%s\n' "$1"; exit 3; }
step=$1 root=$2
shift 2
# ssh starts in the home folder.
case $root in /*) ;; *) root=$PWD/$root ;; esac

# Prints the target as an absolute path, the live release, the one before it, the configuration that the server has loaded
# (none before the first publication), and the pages of the live release as an absolute path without links.
if [ "$step" = state ]; then
  if [ -d "$root" ]; then cd "$root"; root=$PWD; fi
  if ! [ -L "$root/current" ]; then printf '%s\n' "$root" - - none -; exit; fi
  digest=$(readlink current)
  [ -L "$digest" ] || fail "publish did not make the link $root/current. Remove it, or publish to another folder."
  live=$(readlink "$digest")
  live=${live##*/} earlier=- loaded=unknown newest=''
  for each in releases/2*; do
    newest=${each##*/}
    if [ "$newest" \< "$live" ]; then earlier=$newest; fi
  done
  if [ -f loaded ] && [ "$(cat loaded)" = "$digest" ]; then loaded=$digest; fi
  # A newer entry than a release that the server may not have loaded: --back was interrupted, and this run completes it.
  if [ "$loaded" = unknown ] && [ "$newest" != "$live" ]; then earlier=$live; fi
  printf '%s\n' "$root" "$live" "$earlier" "$loaded" "$(cd "releases/$live/pages" && pwd -P)"
  exit
fi

# Prints the name of a new folder for a release.
if [ "$step" = new ]; then
  # ETags are made of size and time, in seconds: a file that changes twice has to change in two of them.
  if [ -L "$root/current" ]; then sleep 1; fi
  mkdir -p "$root/releases"
  cd "$root/releases"
  find . -maxdepth 1 -name ".new.*" -mtime +0 -exec rm -rf {} +
  new=$(mktemp -d .new.XXXXXX)
  chmod 755 "$new"
  echo "$new"
  exit
fi

# Puts a release live: `new`, the folder that was sent, or `release`, if `new` is empty. `live` is the live release, or -.
# `load` is empty if the server has loaded the configuration `digest`, `none` if it has loaded none. Standard output is for
# the reason of a refusal.
cd "$root"
new=$1 release=$2 live=$3 digest=$4 load=$5 check=$6 reload=$7 file=$8 text=$9 was=''

# The lock is the number of this process. A killed process does not hold it, even as a zombie (Z).
while ! error=$(ln -s $$ lock 2>&1); do
  case $error in *"File exists"*) ;; *) fail "$root cannot be written: $error" ;; esac
  # It may have been released meanwhile.
  holder=$(readlink lock) || continue
  # -p is missing in busybox.
  processes=$(ps -A -o pid= -o stat=) || processes="$holder unknown"
  case $(printf '%s\n' "$processes" | sed -n "s/^ *$holder  *//p") in
    '' | Z*) rm -f lock ;;
    *) fail "Another process is publishing there. If none is, remove $root/lock." ;;
  esac
done
trap 'rm -f lock' EXIT
now=-
if [ -L current ]; then now=$(readlink "$(readlink current)"); fi
[ "${now##*/}" = "$live" ] || fail "Another process has published there meanwhile."
# point TO LINK: mv replaces the link in one step, and does not follow it with -T (GNU, busybox) or -h (BSD).
point() {
  rm -f "$2.new"; ln -s "$1" "$2.new"
  mv -T "$2.new" "$2" 2>/dev/null || mv -h "$2.new" "$2"
}
undo() {
  if [ -n "$was" ]; then point "$was" current; else rm current; fi
  fail "$1, so the configuration before is back.$2"
}
# only ONE OTHER: the names of the files of a configuration that another one does not have.
only() {
  for each in "$1"/*.*; do
    if ! [ -e "$2/${each##*/}" ]; then printf ' %s' "${each##*/}"; fi
  done
}
# What the server has to include otherwise: an API that is new, gone or at another base has files of other names.
renamed() {
  if [ -z "$was" ]; then return; fi
  gone=$(only "$was" "$digest") more=$(only "$digest" "$was")
  if [ -n "$gone" ]; then printf ' It included files that are gone:%s.' "$gone"; fi
  if [ -n "$more" ]; then printf ' New files:%s.' "$more"; fi
}
if [ -n "$new" ]; then
  release=$(date -u +%Y%m%dT%H%M%S).${new#.new.}-$digest
  [ "$release" \> "$live" ] || fail "The clock there is behind the release $live."
  printf '%s' "$text" >"releases/$new/$file"
  mv "releases/$new" "releases/$release"
fi
point "releases/$release" "$digest"
if [ "$load" = none ] && [ -z "$reload" ]; then
  echo "$digest" >loaded
  point "$digest" current
elif [ -n "$load" ]; then
  if [ -L current ]; then was=$(readlink current); fi
  point "$digest" current
  if ! sh -c "$check" >&2; then undo "The server refuses the configuration" "$(renamed)"; fi
  rm -f loaded
  if ! sh -c "$reload" >&2; then undo "The server has not reloaded" ''; fi
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
for link in *; do
  case " $* " in *"-$link "*) ;; *) if [ -L "$link" ] && [ "$link" != current ] && [ "$link" != lock ]; then rm "$link"; fi ;; esac
done
