/** The server's configuration, which has a place of its own. */
export const configuration = `
# --- The configuration ---

# Whether the configuration at the target is another one than that of the build.
config_differs() {
  [ -n "$config" ] || return 1
  [ -n "$dry" ] || at_target 'mkdir -p "$1"' "$config" </dev/null
  printf '%s\\n' $config_files | rsync -s --dry-run --checksum --files-from=- --out-format='%i %n' \\
    "$beside/" "\${host:+$host:}$config/" >"$work/config"
  ! is_empty config
}

# Sends it, and takes it back where the server finds a fault in it.
send_config() {
  at_target '
    cd "$1/back"
    shift
    if [ -f config-folder ]; then exit; fi
    mkdir -p config
    from=$1
    shift
    for file; do
      if [ -f "$from/$file" ]; then cp -p "$from/$file" "config/$file"; fi
    done
    printf "%s\\n" "$from" >config-folder
  ' "$own" "$config" $config_files </dev/null
  : | at_target ': >"$1/reload"' "$own"
  printf '%s\\n' $config_files | rsync -s --checksum --chmod=D755,F644 --files-from=- \\
    "$beside/" "\${host:+$host:}$config/"
  say "Checks the configuration: $check"
  if ! at_target "$check" </dev/null; then
    restore_config
    fail "The server refuses the configuration, so the one before is back. Pages have not changed; run this again."
  fi
}

restore_config() {
  at_target '
    cd "$1/back"
    shift
    if ! [ -f config-folder ]; then exit; fi
    to=$(cat config-folder)
    for file; do
      if [ -f "config/$file" ]; then
        cp -p "config/$file" "$to/$file.next"
        mv "$to/$file.next" "$to/$file"
      else
        rm -f "$to/$file"
      fi
    done
    : >../reload
  ' "$own" $config_files </dev/null
}

# Whether the server may still use another configuration than the one that is there.
reload_is_due() { at_target '[ -f "$1/reload" ]' "$own" </dev/null; }

reload_if_due() {
  reload_is_due || return 0
  if [ -z "$reload" ]; then
    say "The configuration has changed. To use it: $reload_command"
    return
  fi
  say "Reloads the server: $reload_command"
  at_target "$check" </dev/null || fail "The server refuses the configuration."
  at_target "$reload_command" </dev/null || fail "The server has not reloaded."
  at_target 'rm -f "$1/reload"' "$own" </dev/null
}
`.trimStart();
