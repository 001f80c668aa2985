// Documents of every kind that the contract has, for tests of hosts: kinds that the build does not make yet, or omits.
// A test adds them to its builds:
//
//   vi.mock("../../build/documents/documents.ts", async (importOriginal) =>
//     withFurtherDocuments(await importOriginal<typeof import("../../build/documents/documents.ts")>()),
//   );
import { type Document, json, minutes } from "../../build/document.ts";
import type { documentsOf } from "../../build/documents/documents.ts";
import type { DocumentSource } from "../../build/documents/source.ts";
import { encode } from "../../build/file.ts";

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

function furtherDocuments({
  api: { base },
  deployment,
}: Pick<DocumentSource, "api" | "deployment">): readonly Document[] {
  const folder = base.slice(1);
  const kinds: readonly (readonly [path: string, file: string, contentType: string, cacheControl?: string])[] = [
    [base, `${folder}.json`, json],
    [`${base}/openapi.json`, `${folder}/openapi.json`, json],
    [`${base}/docs/`, `${folder}/docs/index.html`, html],
    [`${base}/docs/network`, `${folder}/docs/network.html`, html],
    [`${base}/docs/deeper/page`, `${folder}/docs/deeper/page.html`, html],
    [`${base}/docs/style.css`, `${folder}/docs/style.css`, "text/css"],
    ...deployment.operations.flatMap((name): readonly (readonly [string, string, string])[] => [
      [`${base}/schemas/${name}.json`, `${folder}/schemas/${name}.json`, "application/schema+json"],
      [`${base}/dumps/${name}.ndjson`, `${folder}/dumps/${name}.ndjson`, "application/x-ndjson"],
    ]),
    ["/", "index.html", html],
    ["/.well-known/api-catalog", ".well-known/api-catalog", "application/linkset+json"],
  ];
  return kinds.map(([path, file, contentType, cacheControl = minutes]) => ({
    ...{ path, file, contentType, cacheControl },
    parts: () => [encode(`${file} – ${"what it says, ".repeat(40)}\n`)],
  }));
}
