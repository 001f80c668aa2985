// Which filters of a list cannot be sent with the chosen ones, and why: for the build, which keeps the room of the reasons
// in forms, and for the script, which shows them.

/** Why a filter cannot be sent with others; undefined if it can. `sets` are the filters that go together. */
export function exclusionOf(
  name: string,
  others: readonly string[],
  sets: readonly (readonly string[])[],
): string | undefined {
  const own = sets.filter((set) => set.includes(name));
  if (others.length === 0 || own.some((set) => others.every((each) => set.includes(each)))) return undefined;
  const partners = [...new Set(own.flat())].filter((each) => each !== name);
  const foes = others.filter((each) => !partners.includes(each));
  const which = (foes.length > 0 ? foes : others).join(" and ");
  const rest = partners.length === 0 ? "" : `, only with ${partners.join(" or ")}`;
  return `not with ${which}${rest}`;
}
