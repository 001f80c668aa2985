/** `Map.groupBy`, which Node 20 lacks. Keys come in the order of their first values. */
export function groupBy<T, Key>(values: Iterable<T>, keyOf: (value: T) => Key): ReadonlyMap<Key, readonly [T, ...T[]]> {
  const groups = new Map<Key, [T, ...T[]]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else group.push(value);
  }
  return groups;
}
