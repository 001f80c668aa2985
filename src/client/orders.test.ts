import { expect, it } from "vitest";
import { edgeNetwork } from "../edge-network/index.ts";

const { operations } = edgeNetwork;

it("has the orders of the table as it is now: npm run generate writes them", async () => {
  const lines = operations.map((operation) => {
    const order = operation.kind === "list" ? `[${operation.order.map((field) => `"${field}"`).join(", ")}]` : "null";
    return `  ${operation.name}: ${order},`;
  });
  const written = [
    "// Made from the table of operations by `npm run generate`, not by hand, so that the client runs without zod.",
    'import type { OperationTable } from "../edge-network/index.ts";',
    'import type { OrdersOf } from "./create.ts";',
    "",
    "export const orders: OrdersOf<OperationTable> = {",
    ...lines,
    "};",
    "",
  ].join("\n");
  await expect(written).toMatchFileSnapshot("orders.ts");
});
