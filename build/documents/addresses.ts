// The paths of documents and requests, and the anchors of the reference. All of them are permanent.
import type { Api } from "../../src/model/api.ts";
import { keyFields } from "../../src/model/key.ts";
import type { ListOperation, Operation } from "../../src/model/operation.ts";
import { feedFile, openapiPath, operationAnchor, parameterAnchor, referencePath } from "../routing/paths.ts";

/** The path of each document. */
export const documentPaths = (base: string) => ({
  openapi: openapiPath(base),
  reference: referencePath(base),
  style: `${base}/docs/style.css`,
  script: `${base}/docs/page.js`,
  find: `${base}/docs/find.json`,
  tableScript: `${base}/docs/table.js`,
  icon: `${base}/docs/icon.svg`,
  feed: `/${feedFile(base)}`,
  front: "/",
});

/** The path of a request, with the parts of the key of a single item. */
export const requestPath = (
  { base }: Pick<Api, "base">,
  { name }: Pick<Operation, "name">,
  { key = [], query = "" }: { readonly key?: readonly string[]; readonly query?: string } = {},
): string => [base, name, ...key].join("/").concat(query === "" ? "" : `?${query}`);

/** The path of a single item, with the fields of the key in braces. */
export const itemPath = (api: Pick<Api, "base">, operation: ListOperation): string =>
  requestPath(api, operation, { key: keyFields(operation).map((field) => `{${field}}`) });

/** The anchors of the reference. `title` is the title of a resource. */
export const anchors = {
  operation: operationAnchor,
  item: ({ name }: ListOperation): string => `item-${name}`,
  parameter: parameterAnchor,
  resource: (title: string): string => `resource-${slug(title)}`,
  field(title: string, path: string): string {
    const parts = path
      .replace(/\[\]$/, ".each")
      .replaceAll("[]", "")
      .replace(/\[(\d+)\]/g, ".$1");
    return `${slug(title)}.${parts.replaceAll("*", "each")}`;
  },
  error: (code: string): string => `error-${code}`,
  header: (name: string): string => `header-${name.toLowerCase()}`,
};

const slug = (title: string): string => title.toLowerCase().replaceAll(/[^a-z]+/g, "-");
