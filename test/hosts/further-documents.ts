// Documents of every kind that the contract has, for tests of hosts: kinds that the build does not make yet, or omits.
// A test adds them to its builds:
//
//   vi.mock("../../build/documents/documents.ts", async (importOriginal) =>
//     withFurtherDocuments(await importOriginal<typeof import("../../build/documents/documents.ts")>()),
//   );
import { type Document, json, minutes, textDocument } from "../../build/document.ts";
import type { documentsOf } from "../../build/documents/documents.ts";
import type { DocumentSource } from "../../build/documents/source.ts";

type Original = { readonly documentsOf: typeof documentsOf };

export const withFurtherDocuments = (original: Original): Original => ({
  ...original,
  documentsOf(context, ...rest) {
    const own = original.documentsOf(context, ...rest);
    const known = new Set(own.made.map(({ path }) => path));
    return { ...own, made: [...own.made, ...furtherDocuments(context).filter(({ path }) => !known.has(path))] };
  },
});

const html = "text/html; charset=utf-8";

function furtherDocuments({ deployment: { operations } }: Pick<DocumentSource, "deployment">): readonly Document[] {
  const kinds: readonly (readonly [path: string, file: string, contentType: string, cacheControl?: string])[] = [
    ["/api/v1", "api/v1.json", json],
    ["/api/v1/openapi.json", "api/v1/openapi.json", json],
    ["/api/v1/docs/", "api/v1/docs/index.html", html],
    ["/api/v1/docs/network", "api/v1/docs/network.html", html],
    ["/api/v1/docs/style.css", "api/v1/docs/style.css", "text/css"],
    ...operations.flatMap((name): readonly (readonly [string, string, string])[] => [
      [`/api/v1/schemas/${name}.json`, `api/v1/schemas/${name}.json`, "application/schema+json"],
      [`/api/v1/dumps/${name}.ndjson`, `api/v1/dumps/${name}.ndjson`, "application/x-ndjson"],
    ]),
    ["/api/v1/cursors.json", "api/v1/cursors.json", json, "no-store"],
    ["/", "index.html", html],
    ["/.well-known/api-catalog", ".well-known/api-catalog", "application/linkset+json"],
  ];
  return kinds.map(([path, file, contentType, cacheControl = minutes]) =>
    textDocument({ path, file, contentType, cacheControl }, `${file} – ${"what it says, ".repeat(40)}\n`),
  );
}
