// The code of Cloudflare's worker: resolve.ts decides the answer, and a file of the publish root is its body.
//
// Relied on: ASSETS answers with the file at the path of a URL, with 404 if there is none, and with 304 if its ETag
// matches If-None-Match; a 304 of Pages does not repeat the ETag. ASSETS serves pages at their addresses without .html
// and index.html, and redirects the full addresses there.
// https://developers.cloudflare.com/workers/static-assets/binding/
// https://developers.cloudflare.com/pages/functions/advanced-mode/
import { type Answer, type Resolution, resolve, splitTarget, tableFor } from "../../routing/resolve.ts";
import type { RoutingTable, Tables } from "../../routing/table.ts";

/** The binding for the files of the publish root. */
export interface Assets {
  readonly fetch: (request: Request) => Promise<Response>;
}

/**
 * Looks up one file if the page exists: its parameters are then known. If the path of a page leads through a file as if it
 * were a folder, ASSETS may fail instead of answering with 404.
 */
export async function respond(table: RoutingTable, request: Request, assets: Assets): Promise<Response> {
  const { method, url, headers } = request;
  const tag = headers.get("If-None-Match");
  const fetchFile = (file: string, verb: string, conditions: Readonly<Record<string, string>> = {}) =>
    assets.fetch(new Request(new URL(addressOf(file), url), { method: verb, headers: conditions }));
  const verb = method === "HEAD" ? "HEAD" : "GET";
  const resolution = resolve(table, { method, ...splitTarget(targetOf(url)) });
  const { status, file } = resolution.answer;
  if (status === 200 && file !== undefined) {
    const page = await fetchFile(file, verb, tag === null ? {} : { "If-None-Match": tag });
    if (page.status === 200 || page.status === 304) return reply(table, resolution.answer, file, page, tag);
  }
  const answer = await settle(resolution, async (file) => (await fetchFile(file, "HEAD")).status !== 404);
  if (answer.file === undefined) return new Response(null, { status: answer.status, headers: answer.headers });
  return reply(table, answer, answer.file, await fetchFile(answer.file, verb));
}

/** The answer of the API to which the path of a request belongs. */
export const respondFrom = (tables: Tables, request: Request, assets: Assets): Promise<Response> =>
  respond(tableFor(tables, splitTarget(targetOf(request.url)).path), request, assets);

/** The path at which ASSETS serves a file of the publish root. */
const addressOf = (file: string): string => `/${file}`.replace(/(?<=\/)index\.html$|\.html$/, "");

/** The target as sent, as far as the runtime preserves it: `new URL` would normalise it. */
const targetOf = (url: string): string => url.slice(url.indexOf("/", url.indexOf("//") + 2));

/** `settle` of resolve.ts with asynchronous lookups. */
async function settle({ answer, needs }: Resolution, exists: (file: string) => Promise<boolean>): Promise<Answer> {
  for (const { file, otherwise } of needs) if (!(await exists(file))) return otherwise;
  return answer;
}

function reply(
  table: RoutingTable,
  answer: Answer,
  file: string,
  asset: Response,
  tag: string | null = null,
): Response {
  const headers = new Headers(answer.headers);
  const etag = asset.headers.get("ETag") ?? (asset.status === 304 ? tag : null);
  if (answer.status === 200 && etag !== null) headers.set("ETag", etag);
  if (asset.status === 304) return new Response(null, { status: 304, headers });
  if (asset.status === 200) return new Response(asset.body, { status: answer.status, headers });
  return broken(table, file);
}

/** The files do not belong to the build, or cannot be read now. The contract has no answer for this case. */
function broken({ headers, errorCacheControl }: RoutingTable, file: string): Response {
  const body = { object: "error", status: 500, code: "internal_error", message: `${file} cannot be read.` };
  return new Response(JSON.stringify(body), {
    status: 500,
    headers: { ...headers, "Cache-Control": errorCacheControl },
  });
}
