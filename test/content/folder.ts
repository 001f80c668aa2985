// Content folders for tests, as data: each path with the text or the bytes of the file.

import type { Items, Settings } from "../../build/content/catalog.ts";
import { compileContent } from "../../build/content/content.ts";
import type { Discovery, Obstacle } from "../../build/content/discover.ts";
import { compare } from "../../build/content/order.ts";
import { itemsOf } from "../../build/content/store.ts";
import type { Diagnostic } from "../../build/diagnostics.ts";
import type { Api } from "../../src/model/api.ts";
import type { Item } from "../../src/model/key.ts";
import { edgeNetwork } from "../edge-network.ts";

export type Tree = Readonly<Record<string, string | Uint8Array>>;

/** The result of `discover` for a folder with these files. */
export const discovered = (tree: Tree, obstacles: readonly Obstacle[] = []): Discovery => ({
  files: Object.entries(tree)
    .map(([file, text]) => ({ file, bytes: typeof text === "string" ? new TextEncoder().encode(text) : text }))
    .sort((a, b) => compare(a.file, b.file)),
  obstacles,
});

/** A line for each fault: `file:line:column code message hint`. Messages name files relative to `root`. */
export const faultsOf = (
  tree: Tree,
  obstacles: readonly Obstacle[] = [],
  root?: string,
  api: Api = edgeNetwork,
): readonly string[] => compileContent(discovered(tree, obstacles), api, { root })[1].map(lineOf);

const lineOf = ({ file, line, column, code, message, hint }: Diagnostic): string =>
  `${file}:${line}:${column} ${code} ${message}${hint === undefined ? "" : ` ${hint}`}`;

/** Valid files to which others refer. */
export const rightTree: Tree = {
  "regions.yaml": `- code: lhr1
  name: London
  zone: europe-west
  country: GB
  status: operational
- code: nrt1
  name: Tokyo
  zone: asia-east
  country: JP
  status: operational
`,
  "schema/os.json": '{"name":"os","fields":[{"name":"id","type":"string","nullable":false}]}',
  "schema/web.json": '{"name":"web","fields":[]}',
};

/** Items by operation, in the form of the catalog. */
export const catalogItems = (
  content: Readonly<Record<string, readonly Item[]>>,
  { lists }: Pick<Api, "lists"> = edgeNetwork,
): ReadonlyMap<string, Items> =>
  new Map(lists.map((operation) => [operation.name, itemsOf(operation, content[operation.name] ?? [])]));

/** The default settings. */
export const noSettings: Settings = {
  title: undefined,
  description: undefined,
  url: undefined,
  license: undefined,
  contact: undefined,
  changelog: undefined,
  attribution: undefined,
  introduction: undefined,
  logo: undefined,
  accent: undefined,
  vocabulary: {},
  defaultDeployment: "edge",
  cursorLifetime: 900,
  changes: 2_592_000,
  frontPage: true,
  hosts: undefined,
  client: undefined,
  pageSizes: new Map(),
  paging: new Map(),
  placeOf: () => undefined,
};
