// What a reader has chosen, which the browser keeps for each API: the keys bear the base.

const base = new URL("..", import.meta.url).pathname;

/** Undefined if nothing has been chosen. */
export const remembered = (name: string): string | undefined =>
  withStorage((storage) => storage.getItem(base + name) ?? undefined);

export const remember = (name: string, value: string): void =>
  withStorage((storage) => storage.setItem(base + name, value));

/** Browsers refuse the storage to readers who want to be forgotten: nothing is kept then. */
function withStorage<Result>(use: (storage: Storage) => Result): Result | undefined {
  try {
    return use(localStorage);
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}
