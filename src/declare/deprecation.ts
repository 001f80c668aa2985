// The notice that an API, a collection, a document, a filter, an order, an output or a field will be removed.

export interface Deprecation {
  /** The day, in UTC, from which it is deprecated, such as `2026-12-01`. It may be ahead. */
  readonly since: string;
  /** The day, in UTC, from which it may be gone: `since` or later. Default: not decided. */
  readonly sunset?: string | undefined;
  /**
   * What to use in its place, by name: another collection or document, another filter or order of the same collection,
   * another field of the same items, or the base of another API. In place of an output: another one by its declared path,
   * a collection or a document.
   */
  readonly use?: string | undefined;
  /** One sentence for consumers. */
  readonly why?: string | undefined;
}

/** Declarations that may be deprecated. */
export interface Deprecable {
  /** Tells consumers that it will go, since when, and what to use in its place. Default: it stays. */
  readonly deprecated?: Deprecation;
}
