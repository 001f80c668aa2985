/** What is done, in order. */
export const steps = `
# --- The steps ---

here=$(cd "$(dirname "$0")" && pwd)
beside=$here
build=\${here%/*}
build=\${build%.hosts}

# transfer OPTION… <LIST sends the files of a list to the target, or there from what was saved. What is sent gets the
# present time; what was saved has its own.
transfer() {
  if [ -z "$back" ]; then
    rsync -s --keep-dirlinks --chmod=D755,F644 --files-from=- "$@" "$build/" "$place/"
  else
    at_target 'root=$1
      shift
      rsync -s --times --keep-dirlinks --ignore-missing-args --files-from=- "$@" "$root/.edge-api/back/files/" "$root/"' "$root" "$@"
  fi
}

send() { is_empty "$1" || transfer --checksum --temp-dir=.edge-api/tmp <"$work/$1"; }
remove() { is_empty "$1" || at_target 'cd "$1" && xargs rm -f' "$root" <"$work/$1"; }

# Folders that removal has left empty.
remove_folders() {
  sed -n 's|/[^/]*$||p' "$work/stale" | sort -u >"$work/folders"
  while ! is_empty folders; do
    cat "$work/folders" >>"$work/all-folders"
    sed -n 's|/[^/]*$||p' "$work/folders" | sort -u >"$work/folders.next"
    mv "$work/folders.next" "$work/folders"
  done
  [ -f "$work/all-folders" ] || return 0
  sort -ru "$work/all-folders" | at_target 'cd "$1"
    while IFS= read -r folder; do
      if [ -d "$folder" ]; then rmdir "$folder" 2>/dev/null || :; fi
    done' "$root"
}

# Links to all that is about to change or to leave. What an unfinished publish has saved stays as it is: it is of the
# state before that.
save() {
  if is_empty unfinished; then
    : >"$work/back-new"
    : >"$work/back-saved"
  fi
  sort "$work/changed" "$work/stale" "$work/outdated" | list gone
  without gone back-new | list gone
  { cat "$work/back-saved" "$work/gone"; } | list next-saved
  without new back-saved | list added
  { cat "$work/back-new" "$work/added"; } | list next-new
  sort "$work/published" "$work/new" | list next-files
  if is_empty unfinished; then
    at_target 'cd "$1" && rm -rf next && mkdir -p next/files && echo yes >next/unfinished' "$own" </dev/null
    folder=next
  else
    folder=back
  fi
  at_target 'cd "$1" && rsync -rtp --ignore-existing --ignore-missing-args --files-from=- --link-dest="$PWD/.." .. "$2/files/"' \\
    "$own" "$folder" <"$work/gone"
  for each in saved new; do
    at_target 'cd "$1" && cat >"$2.next" && mv "$2.next" "$2"' "$own" "$folder/$each" <"$work/next-$each"
  done
  at_target 'cd "$1" && cat >files.next && mv files.next files
    if [ -d next ]; then
      rm -rf back.old
      if [ -d back ]; then mv back back.old; fi
      mv next back
      rm -rf back.old
    fi' "$own" <"$work/next-files"
}

# finish LIST: what is published now.
finish() {
  at_target 'cd "$1" && cat >files.next && mv files.next files && rm -rf back/unfinished tmp' "$own" <"$work/$1"
}

# A cursor that a reader has from any page leads to a page at every moment.
carry_out() {
  send step-state
  remove outdated
  send step-new-behind
  send step-new-first
  if [ -n "$back" ]; then restore_config; elif [ -n "$config_is_new" ]; then send_config; fi
  send step-changed
  send step-copies
}
clear_away() {
  remove step-stale-copies
  remove step-stale-first
  remove step-stale-behind
  remove_folders
}

tell() {
  sed 's/^/new      /' "$work/new"
  sed 's/^/changed  /' "$work/changed"
  sed 's/^/stale    /' "$work/stale"
  if [ -n "$config_is_new" ]; then say "The configuration in $config"; fi
}

command -v rsync >/dev/null || fail "rsync is not installed."
[ -n "$dry" ] || lock
read_target
if [ -n "$back" ]; then
  if is_empty back-new && is_empty back-saved && is_empty back-config; then
    fail "There is no earlier state of $target."
  fi
  plan_back
else
  plan_publish
fi
plan_steps
config_is_new=''
if [ -z "$back" ] && config_differs; then config_is_new=yes; fi
[ -n "$back" ] || is_empty left || say "Left alone, because edge-api did not write it: $(cat "$work/left")"
numbers="$(count new) new, $(count changed) changed, $(count stale) stale files"
if [ -n "$dry" ]; then
  tell
  say "Dry run: nothing is done. $numbers."
  exit
fi

if [ -z "$back" ] && [ -z "$config_is_new" ] && is_empty sent && is_empty stale; then
  if ! is_empty unfinished || ! cmp -s "$work/published" "$work/after"; then finish after; fi
  say "$target is up to date. Nothing was sent."
  reload_if_due
  exit
fi

# Entity tags are made of whole seconds: what changes twice has to do so in two of them.
is_empty changed || sleep 1
if [ -z "$back" ]; then
  save
else
  at_target 'echo yes >"$1/back/unfinished"' "$own" </dev/null
  sort "$work/published" "$work/back-saved" | list all
  at_target 'cd "$1" && cat >files.next && mv files.next files' "$own" <"$work/all"
fi
carry_out
reload_if_due
if [ -n "$config_is_new" ] && [ -z "$reload" ] && ! is_empty stale; then
  # The configuration that is in use may still ask for what is stale.
  sort "$work/after" "$work/stale" | list kept
  finish kept
  say "Published to $target: $numbers, which stay until you run this again after the reload."
else
  clear_away
  finish after
  if [ -n "$back" ]; then at_target 'rm -rf "$1/back"' "$own" </dev/null; fi
  if [ -n "$back" ]; then say "Went back to the state before: $numbers."; else say "Published to $target: $numbers."; fi
fi
[ -n "$back" ] || say "To go back to the state before: sh $0 --back $target"
`.trimStart();
