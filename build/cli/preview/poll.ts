// Watches single files, which may be missing, by their state. They are few, and editors replace them.
import { statSync } from "node:fs";

export interface Poll {
  /** Replaces the files to watch. */
  readonly watch: (files: readonly string[]) => void;
  readonly close: () => void;
}

/** In milliseconds. */
const every = 200;

/** `onChange` is called after a file has changed, appeared or disappeared. */
export function pollFiles(onChange: () => void): Poll {
  let states = new Map<string, string>();
  const timer = setInterval(() => {
    const changed = [...states].filter(([file, state]) => stateOf(file) !== state);
    for (const [file] of changed) states.set(file, stateOf(file));
    if (changed.length > 0) onChange();
  }, every);
  return {
    watch(files) {
      // A file that has changed since the last look is reported.
      states = new Map(files.map((file) => [file, states.get(file) ?? stateOf(file)]));
    },
    close: () => clearInterval(timer),
  };
}

function stateOf(file: string): string {
  const state = statSync(file, { throwIfNoEntry: false });
  return state === undefined ? "" : `${state.ino} ${state.size} ${state.mtimeMs}`;
}
