// The script of Cloudflare's worker for several APIs. The adapters bundle it and put the constant `routingTables` before it.
import type { Tables } from "../../routing/table.ts";
import { type Assets, respondFrom } from "./worker.ts";

declare const routingTables: Tables;

// biome-ignore lint/style/noDefaultExport: Cloudflare's runtime reads the default export
export default {
  fetch: (request: Request, env: { readonly ASSETS: Assets }): Promise<Response> =>
    respondFrom(routingTables, request, env.ASSETS),
};
