/** What happens apart from the files that are served: a folder for lists. */
export const apart = `
# --- Lists of paths, sorted, a file each ---

work=$(mktemp -d)
# Giving up the lock, which may not be held.
end() {
  exec 9>&-
  wait
  rm -rf "$work"
}
trap end EXIT
trap 'exit 1' HUP INT TERM
list() { sort -u >"$work/$1.next" && mv "$work/$1.next" "$work/$1"; }
count() { wc -l <"$work/$1" | tr -d ' '; }
is_empty() { [ ! -s "$work/$1" ]; }
# Those of the first list that are in the second one, too, or not in it.
both() { comm -12 "$work/$1" "$work/$2"; }
without() { comm -23 "$work/$1" "$work/$2"; }
# Those that match, or do not. That none does is no failure.
matching() { grep -E "$1" "$work/$2" || [ $? -eq 1 ]; }
others() { grep -Ev "$1" "$work/$2" || [ $? -eq 1 ]; }
`.trimStart();
