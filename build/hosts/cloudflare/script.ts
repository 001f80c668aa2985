// Made from worker.ts by `npm run generate`, not by hand.
/** The worker, but for the constants `routingTable` and `folder` that have to come before it. */
export const script = `// src/fnv.ts
var encoder = new TextEncoder();

// src/paging.ts
var maxLimit = 100;
var defaultLimit = 100;
var everyPageSize = Array.from({ length: maxLimit }, (_, index) => index + 1);
var sizeFor = (limit, sizes) => sizes.findLast((size) => size <= limit);

// src/base.ts
var base = "/api/v1";

// build/routing/paths.ts
var apiFolder = base.slice(1);
function pageFile({ operation, filter, limit = defaultLimit, cursor }) {
  let path = \`\${apiFolder}/\${operation}\`;
  if (filter !== void 0) path += \`/\${filter.param}/\${filter.value}\`;
  if (limit !== defaultLimit) path += \`/limit/\${limit}\`;
  if (cursor !== void 0) path += \`/cursor/\${cursor}\`;
  return \`\${path}.json\`;
}

// build/routing/resolve.ts
function splitTarget(target) {
  const mark = target.indexOf("?");
  return mark === -1 ? { path: target, query: "" } : { path: target.slice(0, mark), query: target.slice(mark + 1) };
}
function resolve(table, { method, path, query }) {
  if (!table.methods.includes(method)) {
    return only(failure(table, table.methodNotAllowed, { Allow: table.methods.join(", ") }));
  }
  const operation = table.operations.find((each) => each.path === path);
  if (operation === void 0) return only(failure(table, table.notFound));
  return resolveParams(table, operation, query.split("&"));
}
function resolveParams(table, operation, pairs) {
  const needs = [];
  let page = { operation: operation.name };
  for (const param of operation.params) {
    const own = pairs.filter((pair2) => pair2 === param.name || pair2.startsWith(\`\${param.name}=\`));
    const [pair, repeated] = own;
    if (pair === void 0) continue;
    const value = pair.slice(param.name.length + 1);
    const otherwise = failure(table, param.error);
    if (repeated !== void 0 || !accepts(param, value)) return { answer: otherwise, needs };
    switch (param.kind) {
      case "limit":
        page = { ...page, limit: sizeFor(Number(value), param.sizes) };
        break;
      case "filter":
        page = { ...page, filter: { param: param.name, value } };
        needs.push({ file: pageFile(page), otherwise });
        break;
      case "cursor":
        page = { ...page, cursor: value };
        needs.push({ file: pageFile(page), otherwise });
        break;
    }
  }
  const headers = { ...table.headers, "Cache-Control": operation.cacheControl };
  return { answer: { status: 200, file: pageFile(page), headers }, needs };
}
function accepts(param, value) {
  if (param.kind !== "limit") return new RegExp(param.form).test(value);
  return /^[1-9][0-9]{0,2}$/.test(value) && Number(value) <= maxLimit && sizeFor(Number(value), param.sizes) !== void 0;
}
var only = (answer) => ({ answer, needs: [] });
var failure = (table, { status, file }, headers = {}) => ({ status, file, headers: { ...table.headers, "Cache-Control": table.errorCacheControl, ...headers } });

// build/hosts/cloudflare/worker.ts
async function respond(table, request, assets, folder2) {
  const { method, url, headers } = request;
  const tag = headers.get("If-None-Match");
  const look = (file, how2, conditions = {}) => assets.fetch(new Request(new URL(\`/\${file.slice(folder2.length)}\`, url), { method: how2, headers: conditions }));
  const how = method === "HEAD" ? "HEAD" : "GET";
  const resolution = resolve(table, { method, ...splitTarget(targetOf(url)) });
  if (resolution.answer.status === 200) {
    const page = await look(resolution.answer.file, how, tag === null ? {} : { "If-None-Match": tag });
    if (page.status !== 404) return reply(table, resolution.answer, page, tag);
  }
  const answer = await settle(resolution, async (file) => (await look(file, "HEAD")).status !== 404);
  return reply(table, answer, await look(answer.file, how));
}
var targetOf = (url) => url.slice(url.indexOf("/", url.indexOf("//") + 2));
async function settle({ answer, needs }, exists) {
  for (const { file, otherwise } of needs) if (!await exists(file)) return otherwise;
  return answer;
}
function reply(table, answer, asset, tag = null) {
  const headers = new Headers(answer.headers);
  const etag = asset.headers.get("ETag") ?? (asset.status === 304 ? tag : null);
  if (answer.status === 200 && etag !== null) headers.set("ETag", etag);
  if (asset.status === 304) return new Response(null, { status: 304, headers });
  if (asset.status === 200) return new Response(asset.body, { status: answer.status, headers });
  return broken(table, answer.file);
}
function broken({ headers, errorCacheControl }, file) {
  const body = { object: "error", status: 500, code: "internal_error", message: \`\${file} cannot be read.\` };
  return new Response(JSON.stringify(body), {
    status: 500,
    headers: { ...headers, "Cache-Control": errorCacheControl }
  });
}

// entry
var entry_default = { fetch: (request, env) => respond(routingTable, request, env.ASSETS, folder) };
export {
  entry_default as default
};
`;
