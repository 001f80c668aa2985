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
import { apiFolder, changesFile, cursorsPattern, folderPattern, linkedPatterns } from "../../routing/paths.ts";
import { contentTypeOf, type RoutingTable } from "../../routing/table.ts";

/** The key of the list. The function maps no request to it. */
export const listKey = "stillapi.list";

/** `configuration` is the digest of the template. */
export function objectsList(table: RoutingTable, configuration: string): string {
  const { base, documents, folders, operations, errorCacheControl } = table;
  const type = contentTypeOf(table);
  const folder = folderPattern(base);
  return [
    ["configuration", configuration],
    ["base", base],
    ["folder", apiFolder(base)],
    ["cursors", cursorsPattern(base)],
    ["changes", `^${literal(changesFile(base))}$`],
    ...linkedPatterns(base).map((pattern) => ["behind", pattern]),
    ...documents.map(({ file, contentType, cacheControl }) => [
      "object",
      `^${literal(file)}$`,
      contentType,
      cacheControl,
    ]),
    ...folders.map(({ path, contentType, cacheControl }) => [
      "object",
      `^${literal(path.slice(1))}/.*[.]html$`,
      contentType,
      cacheControl,
    ]),
    ["object", `^${folder}/errors/`, type, errorCacheControl],
    ...operations.map(({ name, cacheControl }) => ["object", `^${folder}/${name}(/.*)?[.]json$`, type, cacheControl]),
  ]
    .map((fields) => `${fields.join("|")}\n`)
    .join("");
}

const literal = (text: string): string => text.replaceAll(".", "[.]");
