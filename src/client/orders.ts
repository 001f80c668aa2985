// Made from the table of operations by `npm run generate`, not by hand, so that the client runs without zod.
import type { OperationTable } from "../edge-network/index.ts";
import type { OrdersOf } from "./create.ts";

export const orders: OrdersOf<OperationTable> = {
  records: ["collection", "created_at", "id"],
  nodes: ["created_at", "id"],
  regions: ["code"],
  images: ["created_at", "id"],
  schema: ["name"],
  status: null,
};
