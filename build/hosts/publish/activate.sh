# shellcheck shell=sh disable=SC3012 # every sh in use compares texts with < and >
# publish.sh runs this at the target. It puts a release live: `new`, the folder with the sent pages, or `release`, if `new`
# is empty. `live` is the live release, or -. `load` is empty if the server has loaded the configuration `digest`, `none`
# if it has loaded none, and the digest of the loaded one if not.
set -eu
cd "$1"
root=$1 new=$2 release=$3 live=$4 digest=$5 load=$6 check=$7 reload=$8 file=$9 text=${10} was=''

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
trap 'rm -f lock' EXIT
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
  # shellcheck disable=SC2059 # the text has %s for the folder
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
