// The input of all documents. A document's size depends on the operations and on the items that filters refer to, never
// on the number of pages.

import type { Api } from "../../src/api.ts";
import { type ParameterError, parameterErrors } from "../../src/errors.ts";
import { combinationsOf, type Filter } from "../../src/filter.ts";
import type { ItemAccess, ListOperation, Operation } from "../../src/operation.ts";
import type { Cuts, PageSizes } from "../../src/paging.ts";
import { keyFields } from "../../src/resource.ts";
import type { Catalog, Deployment, Settings } from "../content/catalog.ts";
import type { Listing } from "../pages/listing.ts";
import { openapiPath, referencePath } from "../routing/paths.ts";

export interface DocumentSource {
  readonly api: Api;
  /** The operations of the deployment, in the order of the table. */
  readonly operations: readonly Operation[];
  readonly sizesOf: (operation: string) => PageSizes;
  /** The pages of one of the listings, if it is paged. */
  readonly cutsOf: (listing: Listing) => Cuts | undefined;
  readonly settings: Pick<
    Settings,
    | "paging"
    | "title"
    | "description"
    | "url"
    | "license"
    | "contact"
    | "changelog"
    | "logo"
    | "accent"
    | "vocabulary"
    | "frontPage"
    | "cursorLifetime"
    | "client"
  >;
  readonly catalog: Catalog;
  readonly listings: readonly Listing[];
  readonly deployment: Deployment;
  /** Other documents that the reference links to, with their purpose. */
  readonly related: readonly { readonly path: string; readonly title: string; readonly purpose: string }[];
}

/** The path of the page with the first items of a list; undefined if there is none, or if a declared page replaces it. */
export function dataPagePath(
  { api, operations }: Pick<DocumentSource, "api" | "operations">,
  { kind, name }: Pick<Operation, "kind" | "name">,
): string | undefined {
  const path = `docs/data/${name}`;
  const isList = kind === "list" && operations.some((each) => each.name === name);
  const isReplaced = api.pages.some((page) => page.path === path);
  return api.hasDataPages && isList && !isReplaced ? `${api.base}/${path}` : undefined;
}

/** The input of the documents of a deployment, without the links between documents. */
export const sourceOf = (
  catalog: Catalog,
  deployment: Deployment,
  { listings, sizesOf, cutsOf }: Pick<DocumentSource, "listings" | "sizesOf" | "cutsOf">,
): Omit<DocumentSource, "related"> => ({
  api: catalog.api,
  operations: catalog.api.operations.filter(({ name }) => deployment.operations.includes(name)),
  sizesOf,
  cutsOf,
  settings: catalog.settings,
  catalog,
  listings,
  deployment,
});

const defaultTitle = "API";

export const titleOf = ({ settings }: Pick<DocumentSource, "settings">): string => settings.title ?? defaultTitle;

/** The version of the API: the last part of its base, if that is one. */
export function versionOf({ api }: Pick<DocumentSource, "api">): string {
  const last = api.base.slice(api.base.lastIndexOf("/") + 1);
  return hasVersion(api) ? last : "1";
}

/** Whether the version is part of every path. */
export const hasVersion = ({ base }: Pick<DocumentSource["api"], "base">): boolean => /\/v?\d[^/]*$/.test(base);

/** How a filter may be sent: `alone, with maker or with maker and kind`. Undefined if there is no other filter. */
export function waysToSend(operation: ListOperation, { param }: Filter): string | undefined {
  if (operation.filters.length < 2) return undefined;
  const others = combinationsOf(operation)
    .map((filters) => filters.map((each) => each.param))
    .filter((params) => params.includes(param) && params.length > 1)
    .map((params) => params.filter((each) => each !== param).map((each) => `\`${each}\``));
  const ways = ["alone", ...others.map((params) => `with ${params.join(" and ")}`)];
  return ways.length === 1 ? "alone" : `${ways.slice(0, -1).join(", ")} or ${ways.at(-1)}`;
}

/** The path of each document. */
export const documentPaths = (base: string) => ({
  openapi: openapiPath(base),
  reference: referencePath(base),
  style: `${base}/docs/style.css`,
  script: `${base}/docs/page.js`,
  icon: `${base}/docs/icon.svg`,
  front: "/",
});

/** The whole listing of an operation. */
export const listingOf = ({ listings }: DocumentSource, operation: string): Listing | undefined =>
  listings.find((each) => each.operation.name === operation && each.chosen.length === 0);

/** The time in the largest unit that yields an integer: `15 minutes`. */
export function durationOf(seconds: number): string {
  const units = [
    ["day", 86_400],
    ["hour", 3600],
    ["minute", 60],
    ["second", 1],
  ] as const;
  const [unit, length] = units.find(([, each]) => seconds % each === 0) ?? ["second", 1];
  const count = seconds / length;
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

export const isPaged = (operation: Operation): operation is ListOperation & { readonly paged: true } =>
  operation.kind === "list" && operation.paged;

export const isServed = ({ operations }: DocumentSource, name: string): boolean =>
  operations.some((operation) => operation.name === name);

/** The path of a request. */
export const requestPath = ({ base }: Pick<Api, "base">, { name }: Pick<Operation, "name">, query = ""): string =>
  `${base}/${name}${query === "" ? "" : `?${query}`}`;

/** Whether an operation has single items at paths of their own. */
export const hasItems = (operation: Operation): operation is ListOperation & { readonly item: ItemAccess } =>
  operation.kind === "list" && operation.item !== undefined;

/** The path of a single item; without the parts of a key, with the fields of the key in braces. */
export const itemPath = (
  { base }: Pick<Api, "base">,
  { name, resource }: ListOperation,
  key: readonly string[] = keyFields(resource).map((field) => `{${field}}`),
): string => [base, name, ...key].join("/");

/** In the order in which the parameters are checked. */
export const errorsOf = (
  { api, operations, sizesOf }: Pick<DocumentSource, "api" | "operations" | "sizesOf">,
  operation: Operation,
): readonly ParameterError[] =>
  operation.kind === "document"
    ? []
    : parameterErrors(
        api,
        operation,
        sizesOf(operation.name),
        operations.map(({ name }) => name),
      );
