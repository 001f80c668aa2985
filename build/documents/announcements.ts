// What a build announced: what is new in the declaration, what will go, and what is gone, in sentences with code between
// backticks.
import type { DeclaredChanges } from "../../src/answers/answers.ts";
import { listed } from "../text/words.ts";
import { noticeText, upperFirst } from "./sentences.ts";
import type { SiteData } from "./site-data.ts";

/** A sentence or two for each kind of announcement, and for each notice. */
export function announcements(site: Pick<SiteData, "catalog">, declared: DeclaredChanges): readonly string[] {
  const { added, deprecated, removed } = declared;
  const wordsOf = (name: string) => nameInWords(site, name);
  const notices = deprecated.map(({ name, ...notice }) => {
    const text = noticeText(notice);
    return `${upperFirst(wordsOf(name))} is ${text.replace(/^D/, "d")}`;
  });
  if (added.length > 0) notices.push(`New: ${listed(added.map(wordsOf))}.`);
  if (removed.length > 0) notices.push(`Removed: ${listed(removed.map(wordsOf))}.`);
  return notices;
}

const kinds = { fields: "field", filters: "filter", orders: "order" };

/** `the filter `region` of nodes`. The kind of a removed operation is unknown. */
function nameInWords({ catalog: { api } }: Pick<SiteData, "catalog">, name: string): string {
  const { of = "", kind = "", part = "" } = /^(?<of>[^./]+)\.(?<kind>[a-z]+)\.(?<part>.+)$/.exec(name)?.groups ?? {};
  if (kind === "fields" || kind === "filters" || kind === "orders") return `the ${kinds[kind]} \`${part}\` of ${of}`;
  if (name.startsWith("/")) return `the ${name === api.base ? "API" : "output"} \`${name}\``;
  const operation = api.operations.find((candidate) => candidate.name === name);
  if (operation === undefined) return `\`${name}\``;
  return `the ${operation.kind === "list" ? "collection" : "document"} \`${name}\``;
}

/** The numbers of what is announced: `2 added, 1 deprecated`. */
export const announcedCounts = (declared: DeclaredChanges): string =>
  Object.entries(declared)
    .filter(([, names]) => names.length > 0)
    .map(([kind, names]) => `${names.length} ${kind}`)
    .join(", ");
