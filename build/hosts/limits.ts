import type { Amount, BuildSize, FileMeasure, Limit } from "./host.ts";

/** A limit of files: `limitOf("files", { max: 200_000, source })`. */
export const limitOf = (what: FileMeasure, limit: Omit<Limit, "what" | "used">): Limit => ({
  ...limit,
  what,
  used: measures[what],
});

const measures: Readonly<Record<FileMeasure, (build: BuildSize) => Amount>> = {
  files: ({ files }) => ({ amount: files }),
  "files in one folder": ({ folder }) => folder,
  "bytes in one file": ({ file }) => file,
  "bytes in all": ({ bytes }) => ({ amount: bytes }),
};
