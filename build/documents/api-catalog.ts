// The API catalogue: a link set (RFC 9264) by which programs that know only the host find the API (RFC 9727).
import { type Document, minutes, textDocument } from "../document.ts";
import { generator } from "../generator.ts";
import { type DocumentSource, documentPaths } from "./source.ts";

const path = "/.well-known/api-catalog";

export function apiCatalog({ api, operations, settings }: DocumentSource): Document {
  const { base } = api;
  const paths = documentPaths(base);
  const { url = "" } = settings;
  const link = (to: string, type: string) => [{ href: `${url}${to}`, type }];
  const states = operations.filter((operation) => operation.kind === "document" && operation.required === true);
  const linkset = [
    {
      anchor: `${url}${base}`,
      generator: [generator],
      "service-desc": link(paths.openapi, "application/json"),
      "service-doc": link(paths.reference, "text/html"),
      ...(states.length === 0
        ? {}
        : { status: states.flatMap(({ name }) => link(`${base}/${name}`, "application/json")) }),
    },
  ];
  const about = { path, file: path.slice(1), contentType: "application/linkset+json", cacheControl: minutes };
  return textDocument({ ...about, mark: generator }, JSON.stringify({ linkset }));
}
