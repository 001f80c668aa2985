// A difference for programs: all of it.
import type { Difference } from "./difference.ts";
import { wordsOf } from "./sentence.ts";

export const differenceAsData = ({ breaking, lists, ...difference }: Difference) => ({
  faults: [],
  breaking: breaking.map(({ sentence, ...about }) => ({ ...about, message: wordsOf(sentence, (value) => value) })),
  ...difference,
  items: Object.fromEntries(
    lists.map(({ operation, before, after, items }) => [operation, { before, after, changes: items }]),
  ),
});
