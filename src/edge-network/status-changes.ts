// How states changed, as far as the list of changes tells it: of which region or node, when, from which state to which.
import type { NetworkData } from "./network.ts";

export interface StatusChange {
  readonly of: "regions" | "nodes";
  /** The code of a region, or the id of a node. */
  readonly key: string;
  /** The time of the build. */
  readonly at: string;
  readonly from: string;
  readonly to: string;
}

const maxShown = 20;

/** The newest first; at most `maxShown`. Those of one build: regions before nodes. */
export function statusChanges({ changes }: Pick<NetworkData, "changes">): readonly StatusChange[] {
  const found: StatusChange[] = [];
  for (const { at, collections } of changes) {
    for (const of of ["regions", "nodes"] as const) {
      for (const [key, { status }] of Object.entries(collections[of]?.fields ?? {})) {
        const [from, to] = status ?? [];
        if (typeof from === "string" && typeof to === "string") found.push({ of, key, at, from, to });
      }
    }
    if (found.length >= maxShown) break;
  }
  return found.slice(0, maxShown);
}
