// The addresses of single items that a change takes away: NAME/KEY and NAME/ALIAS. An alias that several items claim, or that
// is the key of another item, answers with none of them.
import { type Aliases, aliasesOf } from "../../src/model/aliases.ts";
import { keyOf } from "../../src/model/key.ts";
import type { ListOperation } from "../../src/model/operation.ts";
import { type ItemChange, type ItemLines, itemsIn, topField } from "./changes.ts";

/** The keys and aliases that answered with an item and no longer do. */
export interface LostNames {
  /** The keys that are answered with 404. */
  readonly keys: readonly string[];
  /** The aliases that are answered with 404. */
  readonly aliases: readonly string[];
  /** The aliases that are answered with another item. */
  readonly moved: readonly string[];
}

/** The items of a side, and its aliases. */
interface Named {
  readonly lines: ItemLines;
  readonly aliases: Aliases | undefined;
}

/**
 * The names that a change takes from the items. An item whose former key is an alias now is the same item, and keeps its
 * other names.
 */
export function lostNames(list: ListOperation, changes: readonly ItemChange[], before: Named, after: Named): LostNames {
  const removed = changes.flatMap(({ kind, key }) => (kind === "removed" ? key : []));
  if (after.aliases === undefined) return { keys: removed, aliases: [], moved: [] };
  const names = changes.flatMap((change) => namesIn(change, before.aliases));
  const held = [...holdersOf(list, before, names).values()];
  const holders = holdersOf(
    list,
    after,
    held.flatMap(({ name, key }) => [name, key]),
  );
  const holderAfter = (name: string): string | undefined => {
    const holder = holders.get(name.toLowerCase());
    return holder?.name === name ? holder.key : undefined;
  };
  const keys: string[] = [];
  const aliases: string[] = [];
  const moved: string[] = [];
  for (const { name, key } of held) {
    const now = holderAfter(name);
    if (now === undefined) (name === key ? keys : aliases).push(name);
    else if (now !== holderAfter(key)) moved.push(name);
  }
  return { keys, aliases, moved };
}

/** The names that a change gives or takes: the key, unless the item stays, and the aliases that differ. */
function namesIn({ kind, key, fields }: ItemChange, rule: Aliases | undefined): readonly string[] {
  const aliases =
    rule === undefined
      ? []
      : fields
          .filter((field) => topField(field) === rule.field)
          .flatMap(({ before, after }) => [before, after])
          .flatMap((value) => aliasesOf(rule, { [rule.field]: value }));
  return kind === "changed" ? aliases : [key, ...aliases];
}

/** A key or an alias, and the key of the item that it answers with. */
interface Holder {
  readonly name: string;
  readonly key: string;
}

/**
 * The holders of those of the names that answer with an item. Paths may ignore case, so that names that differ only in case
 * are the same, and the map is by lowercase. Parses the items, if there are names.
 */
function holdersOf(
  list: ListOperation,
  { lines, aliases: rule }: Named,
  names: readonly string[],
): ReadonlyMap<string, Holder> {
  const sought = new Set(names.map((name) => name.toLowerCase()));
  const byKey = new Map<string, Holder>();
  /** Undefined: several items claim the alias. */
  const byAlias = new Map<string, Holder | undefined>();
  for (const item of sought.size === 0 ? [] : itemsIn(lines)) {
    const key = keyOf(list, item) ?? "";
    if (sought.has(key.toLowerCase())) byKey.set(key.toLowerCase(), { name: key, key });
    for (const name of rule === undefined ? [] : aliasesOf(rule, item)) {
      const same = name.toLowerCase();
      if (!sought.has(same)) continue;
      const isClaimed = byAlias.has(same) && byAlias.get(same)?.key !== key;
      byAlias.set(same, isClaimed ? undefined : { name, key });
    }
  }
  const holders = new Map<string, Holder>();
  for (const name of sought) {
    const holder = byKey.get(name) ?? byAlias.get(name);
    if (holder !== undefined) holders.set(name, holder);
  }
  return holders;
}
