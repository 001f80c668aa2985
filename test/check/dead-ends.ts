/**
 * The missing files of cursors on pages, which are followed with the page's limit and without one. `from` are the paths of
 * the pages that a reader may be on.
 */
export function deadEnds(
  files: Readonly<Record<string, string>>,
  from: readonly string[] = Object.keys(files),
): readonly string[] {
  const dead: string[] = [];
  const seen = new Set(from);
  for (const file of seen) {
    const [, listing, limit = ""] = /^(.*?)(\/limit\/\d+)?(?:\/cursor\/\w+)?\.json$/.exec(file) ?? [];
    const text = files[file];
    if (listing === undefined || text === undefined || !text.startsWith('{"object":"list"')) continue;
    const cursor: unknown = JSON.parse(text).pagination?.next_cursor;
    if (typeof cursor !== "string") continue;
    for (const size of new Set([limit, ""])) {
      const next = `${listing}${size}/cursor/${cursor}.json`;
      if (!(next in files)) dead.push(`${file} leads to ${next}`);
      seen.add(next);
    }
  }
  return dead;
}
