// Bodies by address with their entity tags, for conditional requests outside of browsers.

export interface Remembered {
  readonly tag: string;
  readonly text: string;
}

export interface Memory {
  readonly get: (url: string) => Remembered | undefined;
  /** Makes the address the most recent one. */
  readonly set: (url: string, entry: Remembered) => void;
}

/** Holds bodies of at most `size` characters in total, and forgets the least recently set ones first. */
export function createMemory(size: number): Memory {
  const entries = new Map<string, Remembered>();
  let held = 0;
  const forget = (url: string): void => {
    held -= entries.get(url)?.text.length ?? 0;
    entries.delete(url);
  };
  const set: Memory["set"] = (url, entry) => {
    forget(url);
    entries.set(url, entry);
    held += entry.text.length;
    for (const [oldest] of entries) if (held > size) forget(oldest);
  };
  return { get: (url) => entries.get(url), set };
}
