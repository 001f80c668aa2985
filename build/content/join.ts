// References that content writes as another field of the item referred to, `reference("groups", { by: "number" })`. They
// become its key before an item is checked, so the collections referred to are read first.
import type { ListOperation } from "../../src/operation.ts";
import { closest } from "../text/slips.ts";
import { copyOf } from "./data.ts";
import { type Fault, fault, type Spot } from "./fault.ts";
import { eachAt, noSuchItem, type Target } from "./link.ts";
import { type Origin, spotOf } from "./origin.ts";

export interface Joined {
  readonly value: unknown;
  readonly faults: readonly Fault[];
  /** The places of the values that have no key in their place, known to be wrong or not. */
  readonly lost: readonly Spot[];
}

const none: readonly never[] = [];

/** Whether content writes a reference in another form than answers have. */
export const isJoin = <Each extends { readonly by?: string | undefined }>(
  each: Each,
): each is Each & { readonly by: string } => each.by !== undefined;

export function joinerOf(
  { references }: ListOperation,
  targetOf: (name: string) => Target,
): (item: unknown, origin: Origin) => Joined {
  const joins = references.filter(isJoin);
  if (joins.length === 0) return (value) => ({ value, faults: none, lost: none });
  return (item, origin) => {
    const faults: Fault[] = [];
    const lost: Spot[] = [];
    const value = copyOf(item);
    for (const { steps, to, by } of joins) {
      const target = targetOf(to);
      eachAt(value, steps, (owner, field, path) => {
        const written = owner[field];
        if (typeof written !== "string" && typeof written !== "number") return;
        const key = target.keysBy.get(by)?.get(String(written));
        if (key !== undefined) {
          owner[field] = key;
          return;
        }
        const at = spotOf(origin, item, path);
        lost.push(at);
        if (target.isWhole && !target.unsure.has(by)) faults.push(unknownItem(target, by, String(written), at));
      });
    }
    return { value, faults, lost };
  };
}

function unknownItem({ operation, keysBy }: Target, by: string, value: string, at: Spot): Fault {
  return fault("no-such-item", at, () => {
    const known = [...(keysBy.get(by) ?? [])];
    // The key itself is written, or a value that resembles a known one.
    const [own] = known.find(([, key]) => key === value) ?? [];
    return noSuchItem(operation, by, value, own ?? closest(value, known.map(([each]) => each).sort()));
  });
}

/** Whether two places are the same. */
export const isSameSpot = (one: Spot, other: Spot): boolean =>
  "path" in one && "path" in other && JSON.stringify(one.path) === JSON.stringify(other.path);
