/**
 * The elements of some lists, one list after the other. Each list is asked for once the one before it has ended. Builds
 * pass every file through several of these: `yield*` would resume a generator at each of them.
 */
export function flatten<T>(lists: Iterable<Iterable<T>>): Iterable<T> {
  return {
    [Symbol.iterator](): Iterator<T, undefined> {
      const outer = lists[Symbol.iterator]();
      let inner: Iterator<T> | undefined;
      return {
        next() {
          for (;;) {
            const result = inner?.next();
            if (result !== undefined && result.done !== true) return result;
            const following = outer.next();
            if (following.done === true) return { done: true, value: undefined };
            inner = following.value[Symbol.iterator]();
          }
        },
      };
    },
  };
}
