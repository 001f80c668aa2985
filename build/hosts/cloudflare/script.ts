// Generated from build/hosts/cloudflare/worker.ts by `npm run generate`. Do not edit.
/** The worker, without the constant `routingTable`, which has to precede it. */
export const script = `// build/routing/combinations.ts
function clashOf(operation, sent) {
  const filters = sent.filter(isFilter);
  return filters.find((_, index) => !goTogether(operation, filters.slice(0, index + 1)))?.clash;
}
function goTogether({ together = [] }, params) {
  const filters = params.filter(isFilter);
  return filters.length < 2 || together.some((names) => filters.every(({ name }) => names.includes(name)));
}
var isFilter = (param) => param.kind === "filter";

// src/fnv.ts
var encoder = new TextEncoder();

// src/paging.ts
var maxLimit = 100;
var defaultLimit = 100;
var everyPageSize = Array.from({ length: maxLimit }, (_, index) => index + 1);
var sizeFor = (limit, sizes) => sizes.findLast((size) => size <= limit);

// build/routing/paths.ts
var itemFile = (operationPath, key) => \`\${operationPath.slice(1)}\${itemFolder}\${key}.json\`;
var itemFolder = "/item/";
var pathPart = (name, value) => \`/\${name}/\${value}\`;
var limitPart = (size) => size === defaultLimit ? "" : pathPart("limit", size);

// build/routing/parts.ts
function partOf(param, value) {
  if (param.kind !== "limit") return new RegExp(param.form).test(value) ? pathPart(param.name, value) : void 0;
  const limit = /^[1-9][0-9]{0,2}$/.test(value) && Number(value) <= maxLimit ? Number(value) : 0;
  const size = sizeFor(limit, param.sizes);
  return size === void 0 ? void 0 : limitPart(size);
}
var fileOfParts = ({ path, pathOrder }, parts) => \`\${path.slice(1)}\${pathOrder.map((slot) => parts.get(slot) ?? "").join("")}.json\`;

// build/routing/resolve.ts
function splitTarget(target) {
  const mark = target.indexOf("?");
  return mark === -1 ? { path: target, query: "" } : { path: target.slice(0, mark), query: target.slice(mark + 1) };
}
function resolve(table, { method, path, query }) {
  const isPreflight = method === "OPTIONS";
  if (!isPreflight && !table.methods.includes(method)) {
    return only(failure(table, table.methodNotAllowed, { Allow: table.allow }));
  }
  const operation = table.operations.find((each) => each.path === path);
  const document = table.documents.find((each) => each.path === path);
  const holder = table.operations.find((each) => isItemPath(each, path));
  if (isPreflight && (operation ?? document ?? holder) !== void 0) return only(preflight(table));
  if (operation !== void 0) return resolveParams(table, operation, query.split("&"));
  if (document !== void 0) return only(whole(table, document));
  if (holder !== void 0) return single(table, holder, path);
  const redirect = table.redirects.find((each) => each.path === path);
  if (redirect !== void 0 && !isPreflight) return only(redirection(table, redirect.to));
  return only(failure(table, table.notFound));
}
function resolveParams(table, operation, pairs) {
  const pairsOf = ({ name }) => pairs.filter((pair) => pair === name || pair.startsWith(\`\${name}=\`));
  const sent = operation.params.filter((param) => pairsOf(param).length > 0);
  const clash = clashOf(operation, sent);
  if (clash !== void 0) return only(failure(table, clash));
  const needs = [];
  const parts = /* @__PURE__ */ new Map();
  for (const param of sent) {
    const [pair = "", repeated] = pairsOf(param);
    const part = repeated === void 0 ? partOf(param, pair.slice(param.name.length + 1)) : void 0;
    const otherwise = failure(table, param.error);
    if (part === void 0) return { answer: otherwise, needs };
    parts.set(param.slot, part);
    if (param.kind === "filter") needs.push({ file: fileOfParts(operation, /* @__PURE__ */ new Map([[param.slot, part]])), otherwise });
    if (param.kind === "cursor") needs.push({ file: fileOfParts(operation, parts), otherwise });
  }
  const headers = { ...table.headers, "Cache-Control": operation.cacheControl };
  return { answer: { status: 200, file: fileOfParts(operation, parts), headers }, needs };
}
function isItemPath({ path: own, item }, path) {
  if (item === void 0 || !path.startsWith(\`\${own}/\`)) return false;
  const parts = path.slice(own.length + 1).split("/");
  const form = new RegExp(item.form);
  return parts.length === item.parts && parts.every((part) => form.test(part));
}
function single(table, operation, path) {
  const file = itemFile(operation.path, path.slice(operation.path.length + 1));
  const headers = { ...table.headers, "Cache-Control": operation.cacheControl };
  return { answer: { status: 200, file, headers }, needs: [{ file, otherwise: failure(table, table.notFound) }] };
}
var bodiless = ({ headers: { "Content-Type": _, ...headers } }) => headers;
var preflight = (table) => ({
  status: 204,
  file: void 0,
  headers: { ...bodiless(table), ...table.preflight }
});
var redirection = (table, to) => ({
  status: 308,
  file: void 0,
  headers: { ...bodiless(table), Location: to, "Cache-Control": table.errorCacheControl }
});
var whole = ({ headers }, { file, contentType, cacheControl }) => ({
  status: 200,
  file,
  headers: { ...headers, "Content-Type": contentType, "Cache-Control": cacheControl }
});
var only = (answer) => ({ answer, needs: [] });
var failure = (table, { status, file }, headers = {}) => ({ status, file, headers: { ...table.headers, "Cache-Control": table.errorCacheControl, ...headers } });

// build/hosts/cloudflare/worker.ts
async function respond(table, request, assets) {
  const { method, url, headers } = request;
  const tag = headers.get("If-None-Match");
  const look = (file2, how2, conditions = {}) => assets.fetch(new Request(new URL(addressOf(file2), url), { method: how2, headers: conditions }));
  const how = method === "HEAD" ? "HEAD" : "GET";
  const resolution = resolve(table, { method, ...splitTarget(targetOf(url)) });
  const { status, file } = resolution.answer;
  if (status === 200 && file !== void 0) {
    const page = await look(file, how, tag === null ? {} : { "If-None-Match": tag });
    if (page.status === 200 || page.status === 304) return reply(table, resolution.answer, file, page, tag);
  }
  const answer = await settle(resolution, async (file2) => (await look(file2, "HEAD")).status !== 404);
  if (answer.file === void 0) return new Response(null, { status: answer.status, headers: answer.headers });
  return reply(table, answer, answer.file, await look(answer.file, how));
}
var addressOf = (file) => \`/\${file}\`.replace(/(?<=\\/)index\\.html$|\\.html$/, "");
var targetOf = (url) => url.slice(url.indexOf("/", url.indexOf("//") + 2));
async function settle({ answer, needs }, exists) {
  for (const { file, otherwise } of needs) if (!await exists(file)) return otherwise;
  return answer;
}
function reply(table, answer, file, asset, tag = null) {
  const headers = new Headers(answer.headers);
  const etag = asset.headers.get("ETag") ?? (asset.status === 304 ? tag : null);
  if (answer.status === 200 && etag !== null) headers.set("ETag", etag);
  if (asset.status === 304) return new Response(null, { status: 304, headers });
  if (asset.status === 200) return new Response(asset.body, { status: answer.status, headers });
  return broken(table, file);
}
function broken({ headers, errorCacheControl }, file) {
  const body = { object: "error", status: 500, code: "internal_error", message: \`\${file} cannot be read.\` };
  return new Response(JSON.stringify(body), {
    status: 500,
    headers: { ...headers, "Cache-Control": errorCacheControl }
  });
}

// entry
var entry_default = { fetch: (request, env) => respond(routingTable, request, env.ASSETS) };
export {
  entry_default as default
};
`;
