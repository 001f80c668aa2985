// The client that the API brings, and its types: a page needs no package and no registry.
import { asset } from "../../files/asset.ts";
import { type Document, textDocument } from "../../files/document.ts";
import { scriptDocument } from "../../files/script.ts";
import { documentPaths } from "../describe/addresses.ts";
import type { Site } from "../describe/site.ts";
import { listRules, parametersOf } from "./overview.ts";

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

/** How the hosts are asked: as the document at the base says, for which the client would ask. */
function rulesOf(site: Site) {
  const { kind: addresses } = site.api.addressing;
  const operations = site.operations.map((operation) => {
    const { filters, orders, page_sizes } = listRules(site, operation);
    const paths = addresses === "files" && { filters, orders, page_sizes };
    return { name: operation.name, parameters: parametersOf(operation), ...paths };
  });
  return { addresses, operations };
}
