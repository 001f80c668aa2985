/** A function that computes its value for an object on the first call, and keeps it as long as the object is there. */
export function onceFor<Key extends object, T>(compute: (key: Key) => T): (key: Key) => T {
  const computed = new WeakMap<Key, { readonly value: T }>();
  return (key) => {
    const kept = computed.get(key) ?? { value: compute(key) };
    computed.set(key, kept);
    return kept.value;
  };
}

/** A function that computes its value on the first call, and keeps it. */
export function once<T>(compute: () => T): () => T {
  let computed: { readonly value: T } | undefined;
  return () => {
    computed ??= { value: compute() };
    return computed.value;
  };
}
