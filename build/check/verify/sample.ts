// Samples a long list: some entries of each kind, always the same for the same list.

import type { Request } from "../../hosts/host.ts";
import type { RoutingTable } from "../../routing/table.ts";
import { sha256 } from "../../sha256.ts";
import type { Expected } from "../expected.ts";

/** At most `most` entries, but at least one of each kind. They stay in the order of the list. */
export function sampleOf<Entry>(
  list: readonly Entry[],
  kindOf: (entry: Entry) => string,
  most: number,
): readonly Entry[] {
  const kinds = new Map<string, Entry[]>();
  for (const entry of spread(list)) {
    const kind = kindOf(entry);
    const own = kinds.get(kind) ?? [];
    own.push(entry);
    kinds.set(kind, own);
  }
  const chosen = new Set<Entry>();
  for (let round = 0; round === 0 || (chosen.size < most && chosen.size < list.length); round++) {
    for (const [entry] of [...kinds.values()].map((own) => own.slice(round))) {
      if (entry !== undefined && (round === 0 || chosen.size < most)) chosen.add(entry);
    }
  }
  return list.filter((entry) => chosen.has(entry));
}

/** In a pseudorandom order. */
function spread<Entry>(list: readonly Entry[]): readonly Entry[] {
  const hashed = list.map((entry) => ({ entry, hash: sha256(JSON.stringify(entry)) }));
  return hashed.sort((one, other) => (one.hash < other.hash ? -1 : 1)).map(({ entry }) => entry);
}

/**
 * The method, the kind of the answer, the operation and the parameters. The single items of an operation are one kind.
 * Each document is a kind, so that a sample has all documents.
 */
export function requestKind({ method, path, query }: Request, expected: Expected, table: RoutingTable): string {
  const answer = `${method} ${expected.status} ${typeof expected.body === "object" ? expected.body.code : ""}`;
  const operation = table.operations.find((each) => each.path === path);
  if (operation !== undefined) {
    if (query === "") return `${answer} ${path}`;
    const names = new Set(query.split("&").map((pair) => pair.replace(/=.*/s, "")));
    return [
      `${answer} ${path}?`,
      ...operation.params.filter(({ name }) => names.has(name)).map(({ name }) => name),
    ].join(" ");
  }
  const holder = table.operations.find((each) => each.item !== undefined && path.startsWith(`${each.path}/`));
  if (holder !== undefined) return `${answer} ${holder.path}/`;
  const isDocument = table.documents.some((each) => each.path === path);
  if (!isDocument) return answer;
  return method === "GET" ? `${answer} ${path}` : `${answer} document`;
}
