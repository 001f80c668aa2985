// The script of Cloudflare's worker. The adapters bundle it and put the constant `routingTable` before it.
import type { RoutingTable } from "../../routing/table.ts";
import { type Assets, respond } from "./worker.ts";

declare const routingTable: RoutingTable;

// biome-ignore lint/style/noDefaultExport: Cloudflare's runtime reads the default export
export default {
  fetch: (request: Request, env: { readonly ASSETS: Assets }): Promise<Response> =>
    respond(routingTable, request, env.ASSETS),
};
