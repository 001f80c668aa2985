// The client that the API brings, and its types: a page needs no package and no registry.
import { asset } from "../../files/asset.ts";
import { type Document, textDocument } from "../../files/document.ts";
import { scriptDocument } from "../../files/script.ts";
import { documentPaths } from "../describe/addresses.ts";
import type { Site } from "../describe/site.ts";
import { listRules } from "./overview.ts";

export function clientDocuments(site: Site): readonly Document[] {
  const { client, clientTypes } = documentPaths(site.api.base);
  return [
    scriptDocument(client, "documents/programs/browser/client.ts", (text) =>
      text.replace("RULES", () => JSON.stringify(rulesOf(site))),
    ),
    // Servers know no type of TypeScript, and take .ts for video.
    textDocument(clientTypes, "text/plain; charset=utf-8", asset("documents/programs/client.d.ts")),
  ];
}

/** How the hosts are asked: the paths of files follow from the document at the base, which the client would ask for. */
function rulesOf(site: Site) {
  const { kind: addresses } = site.api.addressing;
  if (addresses === "queries") return addresses;
  const operations = site.operations.map((operation) => {
    const { filters, orders, page_sizes } = listRules(site, operation);
    return { name: operation.name, filters, orders, page_sizes };
  });
  return { addresses, operations };
}
