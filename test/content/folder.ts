// Content folders for tests, as data: each path with the text or the bytes of the file.

import type { Discovery, UnreadableReason } from "../../build/content/files.ts";
import type { Settings } from "../../build/content/settings/chosen-settings.ts";
import type { Items } from "../../build/content/table/items.ts";
import { openLog } from "../../build/messages.ts";
import { compare } from "../../build/values/compare.ts";
import type { Api } from "../../src/model/api.ts";
import type { Item } from "../../src/model/key.ts";
import { edgeNetwork } from "../edge-network.ts";
import { compileContent, errorsIn } from "../plan.ts";
import { foundFile } from "./found-file.ts";
import { itemsOf } from "./items-of.ts";

export type Tree = Readonly<Record<string, string | Uint8Array>>;

/** The result of `discover` for a folder with these files. */
export const discovered = (tree: Tree, unreadable: Readonly<Record<string, UnreadableReason>> = {}): Discovery => ({
  files: Object.entries(tree)
    .map(([file, text]) => foundFile(file.normalize("NFC"), text))
    .sort((a, b) => compare(a.file, b.file)),
  unreadable: new Map(Object.entries(unreadable)),
});

/** A line for each error: `file:line:column code text hint`. Files are in `folder`. */
export function faultsOf(
  tree: Tree,
  unreadable: Readonly<Record<string, UnreadableReason>> = {},
  folder = "",
  api: Api = edgeNetwork,
): readonly string[] {
  const log = openLog();
  compileContent(discovered(tree, unreadable), api, log, folder);
  return errorsIn(log);
}

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
  mount: "",
  license: undefined,
  contact: undefined,
  origins: "any",
  introduction: undefined,
  changesText: undefined,
  logo: undefined,
  card: undefined,
  accent: undefined,
  accent_dark: undefined,
  vocabulary: {},
  defaultDeployment: "edge",
  cursorLifetime: 900,
  changesLifetime: 2_592_000,
  changesFields: {},
  frontPage: true,
  hosts: undefined,
  pageSizes: new Map(),
  paging: new Map(),
  placeOf: () => undefined,
};
