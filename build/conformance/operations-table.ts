// The README's table of operations, made of their table.
import { filtersOf, type Operation } from "../../src/operations.ts";

/** In Markdown: a row for each operation. */
export function operationsTable(operations: readonly Operation[]): string {
  const head = ["operation", "parameters", "order of items", "Cache-Control"];
  const rows = operations.map((operation) => [
    `\`GET /api/v1/${operation.name}\``,
    paramsOf(operation)
      .map((param) => `\`${param}\``)
      .join(", "),
    operation.kind === "list" ? operation.order.join(", ") : "",
    `\`${operation.cacheControl}\``,
  ]);
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

const paramsOf = (operation: Operation): readonly string[] => [
  ...(operation.kind === "list" && operation.paged ? ["limit", "cursor"] : []),
  ...filtersOf(operation).map(({ param }) => param),
];
