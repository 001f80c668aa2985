// The kinds of breaking changes, and the choice of the kinds that make a comparison fail.

import type { Sentence } from "./sentence.ts";

/** The names are permanent: programs may depend on them. */
export const breakingKinds = [
  "operation-removed",
  "value-removed",
  "item-removed",
  "page-size-removed",
  "vocabulary-widened",
  "meaning-changed",
  "field-removed",
  "field-optional",
  "field-widened",
  "filter-removed",
  "combination-removed",
  "paging-changed",
  "order-changed",
  "key-changed",
  "base-changed",
] as const;

export type BreakingKind = (typeof breakingKinds)[number];

export interface Breaking {
  readonly code: BreakingKind;
  /** The names of the operations. */
  readonly operations: readonly string[];
  /**
   * The removed or changed things: names of operations, values of a filter, keys, aliases or addresses of items, page
   * sizes, words.
   */
  readonly values: readonly string[];
  readonly sentence: Sentence;
}

const isKind = (name: string): name is BreakingKind => breakingKinds.some((kind) => kind === name);

/** `breaking,-item-removed`: from left to right, `breaking` adds all kinds, and a hyphen takes a kind away. */
export function chosenKinds(text: string): ReadonlySet<BreakingKind> | { readonly wrong: string } {
  const chosen = new Set<BreakingKind>();
  for (const part of text.split(",").map((each) => each.trim())) {
    const name = part.replace(/^-/, "");
    if (name !== "breaking" && !isKind(name)) {
      return {
        wrong: `${JSON.stringify(name)} is not a kind of change. The kinds are breaking, ${breakingKinds.join(", ")}.`,
      };
    }
    for (const kind of name === "breaking" ? breakingKinds : [name]) {
      if (part === name) chosen.add(kind);
      else chosen.delete(kind);
    }
  }
  return chosen.size > 0 ? chosen : { wrong: "It leaves no kind of change. Start with breaking, which is all kinds." };
}
