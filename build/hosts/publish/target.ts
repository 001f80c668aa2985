/** The target, on this machine or another one. */
export const target = `
# --- The target ---

case $target in
  *::* | rsync://*) fail "TARGET must be a folder, or host:folder over ssh." ;;
esac
host=''
root=$target
case $target in
  *:*)
    case \${target%%:*} in
      */*) ;;
      *)
        host=\${target%%:*}
        root=\${target#*:}
        # Over ssh, folders are below the home folder unless they start with a slash.
        root=\${root#\\~/}
        [ -n "$root" ] || fail "Name a folder behind $host:"
        ;;
    esac
    ;;
esac
[ "$root" = / ] || root=\${root%/}
case $host:$root in
  :[!/]*) root=$PWD/$root ;;
esac
case $host:$config in
  :[!/]*) config=$PWD/$config ;;
esac
place=\${host:+$host:}$root
own=$root/.edge-api

# As one word for a shell.
quote() { printf "'%s'" "$(printf %s "$1" | sed "s/'/'\\\\\\\\''/g")"; }

# at_target SCRIPT ARGUMENT… runs a script of sh where the target is.
at_target() {
  script=$1
  shift
  if [ -z "$host" ]; then
    sh -euc "$script" sh "$@"
    return
  fi
  line="env LC_ALL=C sh -euc $(quote "$script") sh"
  for argument; do line="$line $(quote "$argument")"; done
  \${RSYNC_RSH:-ssh} "$host" "$line"
}

# Prints a file of the target's, if it is there.
fetch() {
  at_target '{ if [ -f "$1" ]; then cat "$1"; fi; } | gzip -c' "$1" </dev/null >"$work/fetched.gz" ||
    fail "$target cannot be reached."
  gzip -dc <"$work/fetched.gz"
}

# Only one process may publish to a target. It ends at the latest when this one does, because its input ends then.
lock() {
  mkfifo "$work/hold" "$work/answer"
  at_target '
    mkdir -p "$1"
    chmod 700 "$1"
    cd "$1"
    printf "%s" $$ >"lock.$$"
    trap "rm -f lock.$$" EXIT
    trap "exit 1" HUP TERM
    holder=$(cat lock 2>/dev/null) || holder=""
    if [ -n "$holder" ]; then
      # A killed process may stay as a zombie where nobody waits for it.
      kill -0 "$holder" 2>/dev/null || rm -f lock
      case $(ps -o stat= -p "$holder" 2>/dev/null) in
        Z*) rm -f lock ;;
      esac
    fi
    if ! ln "lock.$$" lock 2>/dev/null; then
      echo busy
      exit
    fi
    rm -f "lock.$$"
    trap "rm -f lock" EXIT
    rm -rf tmp
    mkdir tmp
    echo held
    cat >/dev/null
  ' "$own" <"$work/hold" >"$work/answer" &
  exec 9>"$work/hold"
  answer=''
  read -r answer <"$work/answer" || :
  case $answer in
    held) ;;
    busy) fail "Another publish to $target is under way. If none is, remove $own/lock." ;;
    *) fail "Cannot write to $target." ;;
  esac
}
`.trimStart();
