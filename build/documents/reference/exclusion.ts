// The filters of a list that cannot be sent with the chosen ones, and the reasons. The build reserves room for the reasons in
// forms, and the script shows them.

/** The reason why a filter cannot be sent with others; undefined if it can. `sets` are the filters that can be combined. */
export function exclusionOf(
  name: string,
  others: readonly string[],
  sets: readonly (readonly string[])[],
): string | undefined {
  const containing = sets.filter((set) => set.includes(name));
  if (others.length === 0 || containing.some((set) => others.every((other) => set.includes(other)))) return undefined;
  const partners = [...new Set(containing.flat())].filter((partner) => partner !== name);
  const conflicting = others.filter((other) => !partners.includes(other));
  const which = (conflicting.length > 0 ? conflicting : others).join(" and ");
  const rest = partners.length === 0 ? "" : `, only with ${partners.join(" or ")}`;
  return `not with ${which}${rest}`;
}
