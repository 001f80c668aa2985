// What a build announced: what is new in the declaration, what will go, and what is gone, in sentences with code between
// backticks.
import type { DeclaredChanges } from "../../../src/answers/answers.ts";
import { listed } from "../../text/words.ts";
import { groupBy } from "../../values/group-by.ts";
import { noticeText, upperFirst } from "./sentences.ts";
import type { SiteData } from "./site-data.ts";

interface Announcement {
  /** The list or document that it is about; undefined if it is about the API, an output, or all of a list. */
  readonly operation: string | undefined;
  readonly text: string;
}

/** Notices first, each in sentences of its own. */
export function announcements(
  site: Pick<SiteData, "catalog">,
  { added, deprecated, removed }: DeclaredChanges,
): readonly Announcement[] {
  const notices = deprecated.map(({ name, ...notice }) => {
    const text = noticeText(notice).replace(/^D/, "d");
    return { operation: operationOf(name), text: `${upperFirst(nameInWords(site, name))} is ${text}` };
  });
  const ofKind = (verb: string, names: readonly string[]) =>
    Array.from(groupBy(names, operationOf), ([operation, all]): Announcement => {
      const parts = listed(all.map((name) => (operation === undefined ? nameInWords(site, name) : partInWords(name))));
      return { operation, text: `${verb}${operation === undefined ? "" : ` in ${operation}`}: ${parts}.` };
    });
  return [...notices, ...ofKind("New", added), ...ofKind("Removed", removed)];
}

const partName = /^(?<operation>[^./]+)\.(?<kind>fields|filters|orders)\.(?<part>.+)$/;

/** The operation of which a name names a part. */
const operationOf = (name: string): string | undefined => partName.exec(name)?.groups?.["operation"];

/** ``the filter `region` `` */
function partInWords(name: string): string {
  const { kind = "", part = "" } = partName.exec(name)?.groups ?? {};
  return `the ${kind.slice(0, -1)} \`${part}\``;
}

/** ``the filter `region` of nodes``. The kind of a removed operation is unknown. */
function nameInWords({ catalog: { api } }: Pick<SiteData, "catalog">, name: string): string {
  const operation = operationOf(name);
  if (operation !== undefined) return `${partInWords(name)} of ${operation}`;
  if (name.startsWith("/")) return `the ${name === api.base ? "API" : "output"} \`${name}\``;
  const declared = api.operations.find((candidate) => candidate.name === name);
  if (declared === undefined) return `\`${name}\``;
  return `the ${declared.kind === "list" ? "collection" : "document"} \`${name}\``;
}

/** The numbers of what is announced: `2 added, 1 deprecated`. */
export const announcedCounts = (declared: DeclaredChanges): string =>
  Object.entries(declared)
    .filter(([, names]) => names.length > 0)
    .map(([kind, names]) => `${names.length} ${kind}`)
    .join(", ");
