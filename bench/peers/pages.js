// Shared by the templates of JavaScript generators. It is plain JavaScript like the templates, because the generators
// load it and do not support types.

/**
 * The pages of a size that divides 100: of all records, and of each collection. For each start there is a page of the
 * size, and a page without a limit, which ends at the next hundredth item.
 */
export function pagesOf(records, size) {
  const limits = size === 100 ? [100] : [size, 100];
  const names = ["all", ...new Set(records.map(({ collection }) => collection))];
  return names.flatMap((name) => {
    const items = name === "all" ? records : records.filter(({ collection }) => collection === name);
    const starts = Array.from({ length: Math.ceil(items.length / size) }, (_, page) => page * size);
    return starts.flatMap((start, page) =>
      limits.map((limit) => ({ file: `${name}/${limit}/${page}`, items, start, limit })),
    );
  });
}

/** The text of a page's file. */
export function textOf({ items, start, limit }) {
  const end = Math.min(items.length, start + (limit === 100 ? 100 - (start % 100) : limit));
  const more = end < items.length;
  const pagination = { limit, count: end - start, has_more: more, next_cursor: more ? `k${end}` : null };
  return JSON.stringify({ object: "list", data: items.slice(start, end), pagination });
}
