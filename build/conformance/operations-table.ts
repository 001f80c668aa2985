// The README's table of operations, made of their table.
import type { Operation } from "../../src/operations.ts";
import { paramsOf } from "./requests.ts";

/** In Markdown: a row for each operation. */
export function operationsTable(operations: readonly Operation[]): string {
  const head = ["operation", "parameters", "order of items", "Cache-Control"];
  const rows = operations.map((operation) => [
    code(`GET /api/v1/${operation.name}`),
    paramsOf(operation).map(code).join(", "),
    operation.kind === "list" ? operation.order.join(", ") : "",
    code(operation.cacheControl),
  ]);
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

const code = (text: string): string => `\`${text}\``;
