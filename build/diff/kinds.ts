// The kinds of breaking changes, and the choice of those that make a comparison fail.
import type { Deprecation } from "../../src/declare/deprecation.ts";

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
  "order-removed",
  "key-changed",
  "base-changed",
  "api-removed",
  "output-removed",
  "access-changed",
  "origins-narrowed",
] as const;

export type BreakingKind = (typeof breakingKinds)[number];

/** `breaking,-item-removed`: from left to right, `breaking` adds all kinds, and a hyphen takes a kind away. */
export function chosenKinds(text: string): ReadonlySet<BreakingKind> | { readonly wrong: string } {
  const chosen = new Set<BreakingKind>();
  for (const part of text.split(",").map((word) => word.trim())) {
    const name = part.replace(/^-/, "");
    const kinds = breakingKinds.filter((kind) => kind === name || name === "breaking");
    if (kinds.length === 0) {
      const hint = `The kinds are breaking, ${breakingKinds.join(", ")}.`;
      return { wrong: `${JSON.stringify(name)} is not a kind of change. ${hint}` };
    }
    for (const kind of kinds) {
      if (part === name) chosen.add(kind);
      else chosen.delete(kind);
    }
  }
  if (chosen.size > 0) return chosen;
  return { wrong: "It excludes every kind of change. Start with breaking, which includes all of them." };
}

export interface Breaking {
  readonly code: BreakingKind;
  /** The names of the operations. An output belongs to none. */
  readonly operations: readonly string[];
  /** A sentence or two, with the first values. */
  readonly message: string;
  /**
   * The names of removed or changed things: operations, fields, values of a filter, keys or aliases, page sizes, words,
   * paths of outputs.
   */
  readonly values: readonly string[];
}

/** A change of one operation. Without values, nothing has changed. */
export interface Loss {
  readonly code: BreakingKind;
  readonly values: readonly string[];
  /** A clause. The sentence ends with a full stop, or with a colon and the values. */
  readonly text: string;
  /** Absent: the clause says which values there are. */
  readonly listsValues?: true;
  /** The notice that announced the removal of a value. Absent if this kind of change cannot be announced. */
  readonly noticeOf?: (value: string) => Deprecation | undefined;
}
