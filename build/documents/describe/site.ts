// The complete input of all documents: data, contents of pages and addresses. It is complete before the first document is
// made, so that every page can link to all others.
import type { Changes } from "../../../src/answers/answers.ts";
import type { Html } from "../../../src/declare/html.ts";
import type { Api } from "../../../src/model/api.ts";
import type { Document } from "../../files/document.ts";
import type { Log } from "../../messages.ts";
import { type OutputFiles, outputFilesOf } from "../../pages/outputs.ts";
import { type Addresses, changesPage as changesPath, dataIndex } from "../../routing/paths.ts";
import { addressingOf, pagePath, type SiteApi } from "./addresses.ts";
import { pageDataOf, type RenderedPage, renderedPages } from "./declared-pages.ts";
import { dumpsOf } from "./dumps.ts";
import { type Endpoint, endpointsOf } from "./endpoints.ts";
import { type NamedValuesOf, namedValuesOf } from "./named-values.ts";
import type { SiteData } from "./site-data.ts";
import { type FindTarget, targetsOf } from "./targets.ts";

export interface Site extends SiteData {
  readonly texts: PublisherTexts;
  /** The requests that are answered: OpenAPI, the reference, the search and the samples read them. */
  readonly endpoints: readonly Endpoint[];
  /** Undefined if there is no list of changes. */
  readonly changes: Changes | undefined;
  /** The path of the page about changes; undefined if there is none. */
  readonly changesPage: string | undefined;
  /** The declared pages that have something to show, without their frames. */
  readonly declaredPages: readonly RenderedPage[];
  readonly outputs: readonly OutputFiles[];
  /** The paths of tables, by the names of lists. */
  readonly tables: ReadonlyMap<string, string>;
  /** The path of the page with all lists; undefined if there are no tables. */
  readonly dataIndex: string | undefined;
  /** By the names of lists. */
  readonly dumps: ReadonlyMap<string, Document>;
  readonly findTarget: FindTarget;
  readonly namedValues: NamedValuesOf;
}

/** The publisher's texts. */
export interface PublisherTexts {
  readonly introduction?: Html | undefined;
  /** The introduction in Markdown, as a quotation. */
  readonly quotation?: string | undefined;
  readonly changes?: DatedText | undefined;
}

/** A text about changes. */
export interface DatedText {
  /** What is below no date. */
  readonly undated: Html | undefined;
  readonly notes: readonly Note[];
}

export interface Note {
  /** Such as `2026-11-20`. */
  readonly date: string;
  /** The heading, which starts with the date. */
  readonly title: Html;
  readonly text: Html | undefined;
}

export interface PageLink {
  readonly path: string;
  readonly title: string;
}

/** The pages to which every header leads besides the reference and the tables, in its order. */
export const pagesIn = ({ declaredPages, changesPage }: Site): readonly PageLink[] => [
  ...declaredPages.filter(({ main }) => main),
  ...(changesPage === undefined ? [] : [{ path: changesPage, title: "Changes" }]),
  ...declaredPages.filter(({ main }) => !main),
];

export interface SiteBasis extends Pick<Site, "catalog" | "deployment" | "listings" | "changes" | "texts"> {
  /** The size limit of a file. */
  readonly maxBytes: number;
  readonly addresses: Addresses;
}

/** Undefined if a declared page or output fails, which is reported. */
export function siteOf(
  { catalog, deployment, listings, changes, maxBytes, addresses, texts }: SiteBasis,
  log: Log,
): Site | undefined {
  const { settings } = catalog;
  // The paths of a host that only serves files start with its mount. Other hosts have none.
  const { mount } = settings;
  const api: SiteApi = {
    ...deprecatedBelow(mount, catalog.api),
    base: mount + catalog.api.base,
    addressing: addressingOf(addresses),
  };
  const operations = api.operations.filter(({ name }) => deployment.operations.includes(name));
  const data: SiteData = {
    api,
    settings,
    catalog,
    deployment,
    operations,
    listings,
  };
  const pageData = pageDataOf(data, changes);
  const declaredPages = renderedPages(data, pageData, log);
  const outputs = outputFilesOf(catalog, deployment, pageData, log);
  if (log.hasErrors()) return undefined;
  const changesPage = changes && pagePath(api, changesPath);
  const tables = tablesOf(data);
  return {
    ...data,
    texts,
    endpoints: endpointsOf(data),
    changes,
    changesPage,
    declaredPages,
    outputs,
    tables,
    dataIndex: tables.size === 0 ? undefined : pagePath(api, dataIndex),
    dumps: dumpsOf(data, maxBytes, log),
    findTarget: targetsOf(data, tables),
    namedValues: namedValuesOf(data),
  };
}

/** An API whose notice names the address of the API to use. */
function deprecatedBelow(mount: string, api: Api): Api {
  const { deprecated } = api;
  if (deprecated?.use === undefined) return api;
  return { ...api, deprecated: { ...deprecated, use: mount + deprecated.use } };
}

function tablesOf({ api, operations }: SiteData): ReadonlyMap<string, string> {
  const lists = api.hasDataPages ? operations.filter(({ kind }) => kind === "list") : [];
  return new Map(lists.map(({ name }) => [name, pagePath(api, `${dataIndex}/${name}`)]));
}
