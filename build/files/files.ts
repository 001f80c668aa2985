import type { OutputFile } from "./file.ts";

/** Files of the output that are made when they are asked for. */
export interface Files {
  /** Generated one at a time, each path once. */
  readonly all: () => Iterable<OutputFile>;
  /** One of them, found without making the others. */
  readonly find: (file: string) => OutputFile | undefined;
}

export const listedFiles = (files: readonly OutputFile[]): Files => ({
  all: () => files,
  find: (name) => files.find(({ file }) => file === name),
});

export const joinedFiles = (parts: readonly Files[]): Files => ({
  *all() {
    for (const part of parts) yield* part.all();
  },
  find(file) {
    for (const part of parts) {
      const found = part.find(file);
      if (found !== undefined) return found;
    }
    return undefined;
  },
});
