// Dumps: all items of a list as NDJSON (https://github.com/ndjson/ndjson-spec), in the order of the list.
import type { ListOperation } from "../../../src/model/operation.ts";
import { wholeOf } from "../../content/table/items.ts";
import type { Document } from "../../files/document.ts";
import { inDeclaration, type Log } from "../../messages.ts";
import { jsonLines, noItems } from "../../pages/items.ts";
import { integer } from "../../text/words.ts";
import type { SiteData } from "./site-data.ts";

/**
 * The dumps by the names of the lists. `maxBytes` is the size limit of a file: a larger dump is left out with a warning,
 * because nothing depends on it.
 */
export function dumpsOf(data: SiteData, maxBytes: number, log: Log): ReadonlyMap<string, Document> {
  const dumps = new Map<string, Document>();
  for (const operation of data.operations) {
    if (operation.kind === "document") continue;
    const { name } = operation;
    const dump = dumpOf(data, operation);
    if (dump.length <= maxBytes) {
      dumps.set(name, dump);
      continue;
    }
    const text = `The dump of ${name} is left out: a host takes no files of more than ${integer(maxBytes)} bytes.`;
    log.report({ code: "dump-left-out", at: operation.placeOf("schema") ?? inDeclaration, text });
  }
  return dumps;
}

export const dumpName = (list: string): string => `${list}.ndjson`;

function dumpOf({ api, catalog }: SiteData, { name, cache }: ListOperation): Document {
  const path = `${api.base}/dumps/${dumpName(name)}`;
  return {
    path,
    file: path.slice(1),
    contentType: "application/x-ndjson",
    cacheControl: cache,
    ...jsonLines(wholeOf(catalog.items.get(name) ?? noItems)),
  };
}
