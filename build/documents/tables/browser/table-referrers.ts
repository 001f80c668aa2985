// The lists that refer to an item, in its opened row.
import { counted } from "../../../text/words.ts";
import { make } from "../../frame/browser/elements.ts";
import type { Facet, Referrer, TableData } from "../data.ts";
import { answerOf } from "./table-source.ts";

/** `15 nodes`: the items of each list that refers to this one by a filter. */
export async function showReferrers({ referrers }: TableData, key: string, place: HTMLElement): Promise<void> {
  const links = await Promise.all(
    referrers.map(async (referrer) => {
      const count = await countOf(referrer, key);
      const href = `${referrer.table}?${new URLSearchParams({ [referrer.param]: key })}`;
      return count === 0 ? [] : [make("a", { href }, counted(count, referrer))];
    }),
  );
  place.hidden = links.flat().length === 0;
  place.append(...links.flat().flatMap((link, index) => (index === 0 ? [link] : [", ", link])));
}

async function countOf({ values, param }: Referrer, key: string): Promise<number> {
  const { filters }: { readonly filters: readonly Pick<Facet, "param" | "values">[] } = await (
    await answerOf(values)
  ).json();
  return filters.find((filter) => filter.param === param)?.values.find(({ value }) => value === key)?.count ?? 0;
}
