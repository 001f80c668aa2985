// The client that the API brings, and its types: a page needs no package and no registry.
import { asset, bundle } from "../files/asset.ts";
import { type Document, lazyDocument, minutes, textDocument } from "../files/document.ts";
import { generator } from "../files/file.ts";
import { documentPaths } from "./addresses.ts";
import type { Site } from "./site.ts";

export function clientDocuments({ api }: Pick<Site, "api">): readonly Document[] {
  const { client, clientTypes } = documentPaths(api.base);
  const text = () =>
    `/* ${generator} */\n\n${bundle("documents/browser/client").replace('"ADDRESSES"', JSON.stringify(api.addresses))}`;
  return [
    lazyDocument(
      { path: client, file: client.slice(1), contentType: "text/javascript; charset=utf-8", cacheControl: minutes },
      text,
    ),
    // Servers know no type of TypeScript, and take .ts for video.
    textDocument(clientTypes, "text/plain; charset=utf-8", asset("documents/client.d.ts")),
  ];
}
