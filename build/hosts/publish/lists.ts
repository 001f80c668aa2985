/** What is published, and what is to be done, as lists. */
export const lists = `
# --- What is to be done ---

# Into the lists of what is published, and of what the last publish has saved.
read_target() {
  fetch "$own/files" | list published
  for each in new saved; do fetch "$own/back/$each" | list "back-$each"; done
  fetch "$own/back/unfinished" >"$work/unfinished"
  fetch "$own/back/config-folder" >"$work/back-config"
  fetch "$root/routing.json" >"$work/marker"
  grep -q '"generator":"edge-api"' "$work/marker" || : >"$work/marker"
  # What was copied there without this script is known by its form.
  if is_empty published && ! is_empty marker; then
    at_target 'cd "$1" && find api .well-known index.html* routing.json -type f 2>/dev/null || :' "$root" </dev/null |
      list found
    matching "$(forms)" found | list published
  fi
}

# Into the lists "new" and "changed": which files of a list are not at the target, or not with the same bytes.
# compare LIST SOURCE OPTION…
compare() {
  from=$1
  shift
  transfer --dry-run --checksum --out-format='%i %n' "$@" <"$work/$from" >"$work/differ"
  sed -n 's/^[<>]f+* //p' "$work/differ" | list new
  sed -n 's/^[<>]f[^+ ]* //p' "$work/differ" | list changed
}

with_copies() { sed 'p
s/$/.br/p
s/br$/gz/' "$work/$1"; }

# What a publish does. Afterwards there are the files of the build.
plan_publish() {
  (cd "$build" && find . -type f) | sed 's/^..//' | list found
  matching "$(forms)" found | list after
  [ -s "$work/after" ] || fail "$build is no build of edge-api."
  compare after
  # Files that are in the way and not the program's: a site may have a front page of its own.
  without changed published | list foreign
  others '^(api/|routing[.]json$)' foreign | list left
  with_copies left | list left-files
  for each in after new changed; do without "$each" left-files | list "$each"; done
  without foreign left | list foreign
  if ! is_empty marker; then others '^api/v1/' foreign | list foreign; fi
  if ! is_empty foreign; then
    fail "$target holds $(sed -n 1p "$work/foreign"), which edge-api did not write. Move it away."
  fi
  without published after | list stale
}

# What --back does: as a publish of what was saved.
plan_back() {
  compare back-saved
  both back-new published | list stale
  sort "$work/published" "$work/back-saved" | list all
  without all back-new | list after
}

# Each step's own list.
plan_steps() {
  copy='[.](br|gz)$' cursor='/cursor/' state='^api/v1/cursors(-[0-9]+)?[.]json$'
  sort "$work/new" "$work/changed" | list sent
  matching "$state" sent | list step-state
  with_copies changed | list changed-and-copies
  matching "$copy" changed-and-copies | list copies-of-changed
  both copies-of-changed published | list outdated
  others "$state|$copy" new | list new-pages
  matching "$cursor" new-pages | list step-new-behind
  others "$cursor" new-pages | list step-new-first
  others "$state|$copy" changed | list step-changed
  both outdated after | list outdated-again
  { matching "$copy" sent && cat "$work/outdated-again"; } | list step-copies
  matching "$copy" stale | list step-stale-copies
  others "$copy" stale | list stale-pages
  others "$cursor" stale-pages | list step-stale-first
  matching "$cursor" stale-pages | list step-stale-behind
}
`.trimStart();
