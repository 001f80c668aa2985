// The client that the API brings, and its types: a page needs no package and no registry.
import { asset } from "../files/asset.ts";
import { type Document, textDocument } from "../files/document.ts";
import { documentPaths } from "./addresses.ts";
import { scriptDocument } from "./scripts.ts";
import type { Site } from "./site.ts";

export function clientDocuments({ api }: Pick<Site, "api">): readonly Document[] {
  const { client, clientTypes } = documentPaths(api.base);
  return [
    scriptDocument(client, "client", (text) => text.replace('"ADDRESSES"', JSON.stringify(api.addresses))),
    // Servers know no type of TypeScript, and take .ts for video.
    textDocument(clientTypes, "text/plain; charset=utf-8", asset("documents/client.d.ts")),
  ];
}
