// The data of upload.sh: a line for each setting and each kind of object, with fields separated by vertical bars.
// Patterns are POSIX extended regular expressions.
//
// The script compares digests in a list that it keeps in the bucket. `aws s3 sync` compares times, which every checkout
// renews. The entity tag of an object is a digest of its bytes only without a customer-managed encryption key and below
// the size of multipart uploads, and it does not cover the object's headers.
// https://docs.aws.amazon.com/cli/latest/reference/s3/cp.html
// https://docs.aws.amazon.com/cli/latest/reference/s3api/delete-objects.html
// https://docs.aws.amazon.com/cli/latest/reference/s3api/list-objects-v2.html
// https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/Invalidation.html
import { apiFolder, cursorsPattern, folderPattern, itemFolder, linkedPatterns } from "../../routing/paths.ts";
import { contentTypeOf, type RoutingTable } from "../../routing/table.ts";
import { documentsOutside } from "../known-paths.ts";

/** The key of the list. The function maps no request to it. */
export const listKey = "stillapi.list";

/** `configuration` is the digest of the template. */
export function objectsList(table: RoutingTable, configuration: string): string {
  const { base, documents, operations, errorCacheControl } = table;
  const type = contentTypeOf(table);
  const outside = documentsOutside(table).map(({ file }) => file);
  const object = (pages: string, cacheControl: string, address: string) => [
    "object",
    `^${folderPattern(base)}/${pages}[.]json$`,
    type,
    cacheControl,
    address,
  ];
  return [
    ["configuration", configuration],
    ["base", base],
    ["cursors", cursorsPattern(base)],
    ...linkedPatterns(base).map((pattern) => ["behind", pattern]),
    ...formsOfFiles(table).map((form) => ["form", form]),
    ...[apiFolder(base), ...outside, listKey].map((prefix) => ["prefix", prefix]),
    ...documents.map((each) => ["object", `^${literal(each.file)}$`, each.contentType, each.cacheControl, each.path]),
    ["object", `^${folderPattern(base)}/errors/`, type, errorCacheControl, ""],
    ...operations
      .filter(({ item }) => item !== undefined)
      .map(({ name, cacheControl }) => object(`${name}${itemFolder}.*`, cacheControl, "item")),
    ...operations.map(({ name, path, cacheControl }) => object(`${name}(/.*)?`, cacheControl, path)),
  ]
    .map((fields) => `${fields.join("|")}\n`)
    .join("");
}

/** Matches the files of the API in a bucket without a list. */
function formsOfFiles({ base, documents }: RoutingTable): readonly string[] {
  const inFolder = documents.filter(({ file }) => file.startsWith(`${apiFolder(base)}/`));
  const endings = new Set(["json", ...inFolder.map(({ file }) => file.replace(/.*\./, ""))]);
  return [...endings].map((ending) => `^${folderPattern(base)}(/[A-Za-z0-9_.~/-]+)?[.]${ending}$`);
}

const literal = (text: string): string => text.replaceAll(".", "[.]");
