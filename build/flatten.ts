/**
 * Concatenates lists. Iteration of a list starts once the one before it has ended. Every file of a build passes through
 * several of these iterators, and `yield*` would resume a generator at each level.
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
