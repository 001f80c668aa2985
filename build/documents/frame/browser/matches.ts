// The ranking of matches of a search, for pages and for workers.

/** Without case and accents. */
export const plainOf = (text: string): string => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

/** Lower is better: the text equals the search, starts with it, has a word that does, or contains it. Both are plain. */
export function rank(text: string, sought: string): number {
  if (text === sought) return 0;
  const at = text.indexOf(sought);
  if (at <= 0) return at === 0 ? 1 : 4;
  return /\w/.test(text[at - 1] ?? "") ? 3 : 2;
}
