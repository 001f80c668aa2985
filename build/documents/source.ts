// The input of all documents, and what several documents derive from it. A document's size depends on the operations and
// on the items that filters refer to, never on the number of pages.
import type { Changes, ErrorBody } from "../../src/answers/answers.ts";
import type { Deprecation } from "../../src/declare/deprecation.ts";
import type { Api } from "../../src/model/api.ts";
import { keyFields } from "../../src/model/key.ts";
import type { ItemAccess, ListOperation, Operation } from "../../src/model/operation.ts";
import { type Catalog, type Deployment, pageSizesOf, type Settings } from "../content/catalog.ts";
import type { Listing } from "../pages/listing.ts";
import type { ApiPlan } from "../pages/pages.ts";
import { notFound, type ParameterError, parameterErrors } from "../routing/errors.ts";
import {
  changesPage,
  feedFile,
  openapiPath,
  operationAnchor,
  parameterAnchor,
  referencePath,
} from "../routing/paths.ts";

type OfPlan = Pick<ApiPlan, "listings">;

export interface DocumentSource extends OfPlan {
  readonly api: Api;
  /** The operations of the deployment, in the order of the table. */
  readonly operations: readonly Operation[];
  readonly settings: Settings;
  readonly catalog: Catalog;
  readonly deployment: Deployment;
  /** What the builds changed; undefined if there is no list of changes. */
  readonly changes: Changes | undefined;
  /** Other documents that the reference links to: `Pages` and `Downloads`. */
  readonly related: readonly Related[];
}

interface Related {
  readonly path: string;
  readonly title: string;
  readonly kind: string;
  /** In bytes. */
  readonly length?: number;
}

/** The input of the documents of a deployment, without the changes and the links between documents. */
export const sourceOf = (catalog: Catalog, deployment: Deployment, { listings }: OfPlan): DocumentSource => ({
  catalog,
  deployment,
  listings,
  changes: undefined,
  related: [],
  api: catalog.api,
  operations: catalog.api.operations.filter(({ name }) => deployment.operations.includes(name)),
  settings: catalog.settings,
});

type Some<Part extends keyof DocumentSource> = Pick<DocumentSource, Part>;

export const titleOf = ({ settings }: Some<"settings">): string => settings.title ?? "API";

/** The version of the API: the last part of its base, if that is one. */
export const versionOf = ({ api }: Some<"api">): string => (hasVersion(api) ? (api.base.split("/").at(-1) ?? "") : "1");

/** Whether the version is part of every path. */
export const hasVersion = ({ base }: Pick<Api, "base">): boolean => /\/v?\d[^/]*$/.test(base);

/** The whole listing of an operation. */
export const listingOf = ({ listings }: Some<"listings">, operation: string): Listing | undefined =>
  listings.find((each) => each.operation.name === operation && each.chosen.length === 0);

export const isPaged = (operation: Operation): operation is ListOperation & { readonly paged: true } =>
  operation.kind === "list" && operation.paged;

/** Whether an operation has single items, each at a path. */
export const hasItems = (operation: Operation): operation is ListOperation & { readonly item: ItemAccess } =>
  operation.kind === "list" && operation.item !== undefined;

export const isServed = ({ operations }: Some<"operations">, name: string): boolean =>
  operations.some((operation) => operation.name === name);

/** The errors of an operation's parameters, in the order in which the parameters are checked. */
export const errorsOf = (source: DocumentSource, operation: Operation): readonly ParameterError[] =>
  operation.kind === "document"
    ? []
    : parameterErrors(source.api, operation, pageSizesOf(source.settings, operation.name), namesOf(source));

/** The body of the 404 of every path. */
export const missingError = (source: DocumentSource): ErrorBody => notFound(source.api, namesOf(source));

const namesOf = ({ operations }: DocumentSource): readonly string[] => operations.map(({ name }) => name);

/** The time in the largest unit that yields an integer: `15 minutes`. */
export function durationOf(seconds: number): string {
  const units = [
    ["day", 86_400],
    ["hour", 3600],
    ["minute", 60],
  ] as const;
  const [unit, length] = units.find(([, each]) => seconds % each === 0) ?? ["second", 1];
  return `${seconds / length} ${unit}${seconds === length ? "" : "s"}`;
}

/** A sentence about the lifetime of a cursor. */
export const cursorPromise = ({ settings: { cursorLifetime } }: Some<"settings">): string =>
  cursorLifetime === 0
    ? "A cursor stops working when the items around it change."
    : `A cursor keeps working for at least ${durationOf(cursorLifetime)} after the page it leads to has changed.`;

/** The fields by which lists are sorted. */
export const orderList = ({ order }: ListOperation): string =>
  order
    .map(({ field, descending, fold, natural }) => {
      const rules = [fold && "ignoring case and accents", natural && "numbers by value"].filter(Boolean);
      return `\`${field}\`${rules.length === 0 ? "" : ` (${rules.join(", ")})`}${descending ? " descending" : ""}`;
    })
    .join(", then ");

/** That something will go, in sentences; empty if it stays. `nameOf` returns what readers know what to use by. */
export function noticeText(
  deprecated: Deprecation | undefined,
  nameOf: (use: string) => string = (use) => use,
): string {
  if (deprecated === undefined) return "";
  const { since, sunset, use, why } = deprecated;
  const when = `Deprecated as of ${since}${sunset === undefined ? "" : `; may be gone from ${sunset} on`}.`;
  return [when, use && `Use \`${nameOf(use)}\` instead.`, why].filter(Boolean).join(" ");
}

export const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The title of an operation's resource: `Node`. */
export const titleOfResource = (operation: Operation): string =>
  upperFirst(operation.kind === "list" ? operation.noun : operation.name.replaceAll("_", " "));

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

/** The path of the first page of a list's table; undefined if there is none, or if a declared page replaces it. */
export function dataPagePath(source: Some<"api" | "operations">, { kind, name }: Operation): string | undefined {
  const { hasDataPages } = source.api;
  return hasDataPages && kind === "list" && isServed(source, name) ? pagePath(source, `docs/data/${name}`) : undefined;
}

/** The path of the page about changes; undefined if there is none, or if a declared page replaces it. */
export const changesPagePath = (source: Some<"api" | "changes">): string | undefined =>
  source.changes && pagePath(source, changesPage);

const pagePath = ({ api }: Some<"api">, path: string): string | undefined =>
  api.pages.some((page) => page.path === path) ? undefined : `${api.base}/${path}`;

/** The path of a request, with the parts of the key of a single item. */
export const requestPath = (
  { base }: Pick<Api, "base">,
  { name }: Pick<Operation, "name">,
  { key = [], query = "" }: { readonly key?: readonly string[]; readonly query?: string } = {},
): string => [base, name, ...key].join("/").concat(query === "" ? "" : `?${query}`);

/** The path of a single item, with the fields of the key in braces. */
export const itemPath = (api: Pick<Api, "base">, operation: ListOperation): string =>
  requestPath(api, operation, { key: keyFields(operation).map((field) => `{${field}}`) });

/** The path of all items of a list as NDJSON. */
export const dumpPath = ({ base }: Pick<Api, "base">, { name }: Operation): string => `${base}/dumps/${name}.ndjson`;

/** The anchors of the reference. They are permanent. `title` is that of a resource. */
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
