// The README's tables of operations and of the content, generated from the table of operations.
import { markdownTable } from "markdown-table";
import type { Operation } from "../src/operation.ts";
import { declaredOrder, orderName } from "../src/order.ts";
import { paramsOf } from "../test/check/requests.ts";
import { edgeNetwork } from "../test/edge-network.ts";

/** In Markdown: a row for each operation. */
export function operationsTable(operations: readonly Operation[]): string {
  const head = ["operation", "parameters", "order of items", "Cache-Control"];
  const rows = operations.map((operation) => [
    code(`GET /api/v1/${operation.name}`),
    paramsOf(operation).map(code).join(", "),
    operation.kind === "list" ? operation.order.map((each) => orderName(declaredOrder(each))).join(", ") : "",
    code(operation.cache),
  ]);
  return table(head, rows);
}

/** In Markdown: a row for each resource, the deployments and the settings. */
export function contentTable(operations: readonly Operation[]): string {
  const documents = edgeNetwork.documents.map(({ name }) => code(name)).join(" and ");
  const rows = operations
    .filter(({ kind }) => kind === "list")
    .map((each) => [`${code(`${each.name}.yaml`)} or files below ${code(`${each.name}/`)}`, each.meaning]);
  return table(
    ["in `content/`", "content"],
    [
      ...rows,
      [code("deployments/NAME.yaml"), `The operations that a host answers, and its ${documents} document.`],
      [code("api.yaml"), "Title, address, page sizes, lifetime of cursors, vocabularies. Optional."],
    ],
  );
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  markdownTable([head, ...rows], { alignDelimiters: false });

const code = (text: string): string => `\`${text}\``;
