// A difference for programs: all of it.

import type { Difference } from "../../../diff/difference.ts";
import { wordsOf } from "../../../diff/sentence.ts";
import { faultsAsData } from "../faults.ts";

export const differenceAsData = ({ breaking, lists, earlier, ...difference }: Difference) => ({
  faults: [],
  earlier: { ...faultsAsData("", earlier.shown, earlier.omitted), uncompared: earlier.uncompared },
  breaking: breaking.map(({ sentence, ...about }) => ({ ...about, message: wordsOf(sentence, (value) => value) })),
  ...difference,
  items: Object.fromEntries(
    lists.map(({ operation, before, after, items }) => [operation, { before, after, changes: items }]),
  ),
});
