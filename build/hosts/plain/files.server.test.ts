// An API on a server that knows nothing: its documents name files, and the client does everything that it does elsewhere.
import { getEventListeners } from "node:events";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { validate } from "@hyperjump/json-schema/openapi-3-1";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ApiTypes } from "../../../src/answers/answers.ts";
import { clientOf } from "../../../src/answers/client/create.ts";
import type { CallOptions, ClientOptions } from "../../../src/answers/client/types.ts";
import { type Built, buildForTest } from "../../../test/check/built.ts";
import { acceptedValues, choiceSets, expectedListing } from "../../../test/check/dataset.ts";
import { everything, everythingAt, writeEverything } from "../../../test/check/everything.ts";
import { linksIn } from "../../../test/documents/check-page.ts";
import { builtSeveral } from "../../../test/plan.ts";
import { type Listening, listen } from "../../../test/serve.ts";
import { temporaryFolder } from "../../../test/temporary.ts";
import { startPreview, tagOf } from "../../cli/preview/preview.ts";
import { everyChoice } from "../../pages/listings.ts";
import { openBuild } from "../../published/build.ts";
import { verify } from "../../verify/verify.ts";
import { plain } from "./index.ts";

const folder = temporaryFolder();

/** The files below a folder, with slashes. */
const filesBelow = (root: string): readonly string[] =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, "/"));

/** The file at a path of a server that has a publish root below a path; undefined if there is none. */
function fileIn(dist: string, mount: string, target: string): string | undefined {
  const at = decodeURI(target.replace(/[?#].*/s, ""));
  if (!at.startsWith(`${mount}/`)) return undefined;
  const file = path.join(dist, at.slice(mount.length).replace(/\/$/, "/index.html"));
  return statSync(file, { throwIfNoEntry: false })?.isFile() ? file : undefined;
}

/** A server that lists folders, or has pages of its own. `onRequest` is called with each target. */
const serveFiles = (
  dist: string,
  mount: string,
  bases: readonly string[],
  onRequest: (target: string) => void = () => undefined,
): Promise<Listening> =>
  listen(
    createServer((request, response) => {
      const target = request.url ?? "";
      onRequest(target);
      const file = fileIn(dist, mount, target);
      if (file !== undefined) {
        const tag = tagOf(readFileSync(file));
        const isKnown = request.headers["if-none-match"] === tag;
        response.writeHead(isKnown ? 304 : 200, { ETag: tag }).end(isKnown ? undefined : readFileSync(file));
      } else if (bases.some((base) => target === `${mount}${base}`))
        response.writeHead(200, { "Content-Type": "text/html" }).end("<ul></ul>");
      else response.writeHead(target.includes("zzz") ? 403 : 404).end("<h1>Not found</h1>");
    }),
  );

/** The links of the pages in a publish root that lead to no file. */
function lostLinks(dist: string, mount: string): readonly string[] {
  const pages = filesBelow(dist).filter((file) => file.endsWith(".html") && file !== "404.html");
  expect(pages.length).toBeGreaterThan(10);
  return pages.flatMap((page) =>
    linksIn(readFileSync(path.join(dist, page), "utf8"))
      .filter((href) => !/^(?:[a-z]+:|#)/.test(href) && fileIn(dist, mount, href) === undefined)
      .map((href) => `${page}: ${href}`),
  );
}

interface AnyMethods {
  get(
    params?: object,
  ): Promise<{ readonly data: readonly unknown[]; readonly pagination?: { readonly limit: number } }>;
  items(params?: object): AsyncIterable<unknown>;
  count(params?: object): Promise<number>;
  item(...key: readonly unknown[]): Promise<unknown>;
  sync(copy: Map<string, unknown>, since?: string): Promise<string>;
}

type AnyClient = Readonly<Record<string, AnyMethods>> & {
  readonly health: (options?: CallOptions) => Promise<unknown>;
  readonly changes: (options?: object) => AsyncIterable<unknown>;
};

const anyClient = (url: string, options: ClientOptions = {}) =>
  clientOf<ApiTypes>(url, options) as unknown as AnyClient;

/** The paths in the message of a 404. */
const namedIn = (message: string): readonly string[] => message.match(/(?<= )\/[^ ,]*(?=[,.])/g) ?? [];

/** Content whose files have no policy that this host does not send. */
function writeContent(content: string, url: string): void {
  writeEverything(content);
  writeFileSync(
    path.join(content, "photos/2026/b.svg"),
    '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>',
  );
  const settings = path.join(content, "api.yaml");
  writeFileSync(settings, `${readFileSync(settings, "utf8")}url: ${url}\n`);
}

describe.each(["", "/my-api"])("below %j", (mount) => {
  const name = mount === "" ? "root" : "mount";
  const content = path.join(folder, `${name}-content`);
  const dist = path.join(folder, `${name}-dist`);
  const { base } = everything;
  let built: Built;
  let server: Listening;
  let asked: string[] = [];

  const fileAt = (target: string) => fileIn(dist, mount, target);

  beforeAll(async () => {
    writeContent(content, `https://name.example.com${mount}`);
    built = await buildForTest(content, dist, [plain], everything);
    server = await serveFiles(dist, mount, [base], (target) => asked.push(target));
  });

  afterAll(() => server.stop());

  const clientWith = (options: ClientOptions = {}) => anyClient(`${server.origin}${mount}${base}`, options);
  const methods = (list: string, options?: ClientOptions): AnyMethods => {
    const found = clientWith(options)[list];
    if (found === undefined) throw new Error(list);
    return found;
  };

  it("gives a client every listing, with each order and choice of filters, and its count", async () => {
    const { dataset } = built;
    let listings = 0;
    for (const operation of dataset.operations) {
      if (operation.kind === "document") continue;
      const client = methods(operation.name);
      // At the root of an address, a client asks for the same files.
      for (const set of mount === "" ? [[]] : [[], ...choiceSets(operation)]) {
        for (const values of everyChoice(set.map((filter) => acceptedValues(dataset, operation, filter).slice(0, 3)))) {
          const chosen = set.map(({ param }, index) => ({ param, value: values[index] ?? "" }));
          const { items } = expectedListing(dataset, operation, chosen);
          const params = Object.fromEntries(chosen.map(({ param, value }) => [param, value]));
          const ids = async (limit: object) => {
            const all: unknown[] = [];
            for await (const item of client.items({ ...params, ...limit })) all.push(item);
            return all.length;
          };
          expect(await ids(operation.paged ? { limit: 7 } : {})).toBe(items.length);
          const { sort: _, ...filters } = params;
          expect(await client.count(filters)).toBe(items.length);
          listings++;
        }
      }
    }
    expect(listings).toBeGreaterThan(mount === "" ? 10 : 60);
  });

  it("gives items by keys and aliases, documents and changes", async () => {
    const { dataset } = built;
    for (const operation of dataset.operations) {
      if (operation.kind === "document" || operation.item === undefined) continue;
      const [first] = dataset.items.get(operation.name) ?? [];
      const key = [...operation.scope.map(({ field }) => field), operation.key].map((field) => first?.[field]);
      expect(await methods(operation.name).item(...key)).toEqual(first);
    }
    expect(await clientWith().health()).toEqual(dataset.documents.get("health"));
    for await (const change of clientWith().changes()) expect(change).toBeUndefined();
  });

  it("keeps a copy", async () => {
    const copy = new Map<string, unknown>();
    await methods("things").sync(copy);
    expect(copy.size).toBe(built.dataset.items.get("things")?.length);
  });

  it("rejects as elsewhere, as far as that can be known", async () => {
    const things = methods("things");
    const limit = await things.get({ limit: 60 });
    expect(limit.pagination?.limit).toBe(built.dataset.pageSizes.get("things")?.findLast((size) => size <= 60));
    await expect(things.get({ limit: 0 })).rejects.toMatchObject({
      status: 400,
      code: "invalid_limit",
      param: "limit",
    });
    await expect(things.get({ limit: 5.5 })).rejects.toMatchObject({ code: "invalid_limit" });
    await expect(things.get({ sort: "oldest" })).rejects.toMatchObject({ code: "invalid_sort", param: "sort" });
    await expect(things.get({ region: "zzz" })).rejects.toMatchObject({ code: "invalid_region", status: 400 });
    await expect(things.get({ region: "us", zone2: "z1" })).rejects.toMatchObject({ code: "invalid_zone2" });
    await expect(things.get({ cursor: "k0" })).rejects.toMatchObject({ code: "invalid_cursor", param: "cursor" });
    await expect(things.count({ region: "zzz" })).rejects.toMatchObject({ code: "invalid_region" });
    expect((await things.get({ region: "none" })).data).toEqual([]);
    const [single] = built.dataset.operations.filter((operation) => operation.kind === "list" && operation.item);
    const item = methods(single?.name ?? "").item("zzz-nothing");
    await expect(item).rejects.toMatchObject({ status: 404, code: "not_found" });
    await expect(methods("nothing").get()).rejects.toMatchObject({ status: 404, code: "not_found" });
    await expect(things.get({ limit: 5, utm: "x" })).rejects.toMatchObject({ code: "unknown_parameter", param: "utm" });
  });

  it("asks once how it has to ask, and not at all if it is told", async () => {
    asked = [];
    const client = clientWith();
    await Promise.all([client["things"]?.get({ limit: 5 }), client["default"]?.get()]);
    await client["things"]?.get();
    const root = `${mount}${base}`;
    expect(asked.toSorted()).toEqual(
      [root, `${root}.json`, `${root}/default.json`, `${root}/things.json`, `${root}/things/limit/5.json`].toSorted(),
    );
    const { signal } = new AbortController();
    for (let call = 0; call < 3; call++) await client.health({ signal });
    expect(getEventListeners(signal, "abort")).toEqual([]);
    await expect(clientWith().health({ signal: AbortSignal.abort("enough") })).rejects.toBe("enough");
    asked = [];
    await methods("default", { addresses: "files" }).get();
    expect(asked).toEqual([`${root}.json`, `${root}/default.json`]);
    asked = [];
    await expect(methods("default", { addresses: "queries" }).get()).rejects.toMatchObject({ status: 404 });
    expect(asked).toEqual([`${root}/default`]);
  });

  it("brings a client that asks nothing before its first call", async () => {
    const at = `${server.origin}${mount}${base}/client.js`;
    const script = (await (await fetch(at)).text()).replace("import.meta.url", JSON.stringify(at));
    const { createClient }: typeof import("../../documents/programs/browser/client.ts") = await import(
      `data:text/javascript,${encodeURIComponent(script)}`
    );
    asked = [];
    const client = createClient() as unknown as ReturnType<typeof clientWith>;
    expect((await client["things"]?.get({ sort: "newest", region: "us", limit: 60 }))?.data).not.toHaveLength(0);
    await client.health();
    await expect(client["things"]?.get({ limit: 0 })).rejects.toMatchObject({ code: "invalid_limit" });
    expect(asked).toEqual([
      `${mount}${base}/things/sort/newest/region/us/limit/25.json`,
      `${mount}${base}/health.json`,
    ]);
  });

  it("leads to a file by every link of every page, and by every address in the document at the base", () => {
    expect(lostLinks(dist, mount)).toEqual([]);
    const overview = JSON.parse(readFileSync(path.join(dist, `${base}.json`), "utf8"));
    expect(overview.addresses).toBe("files");
    const paths = [...overview.operations, ...overview.documents, ...overview.outputs].map((entry) => entry.path);
    expect(paths.filter((each: string) => !each.includes("{") && fileAt(each) === undefined)).toEqual([]);
  });

  it("names files that exist in the answer where there is none", () => {
    const page = readFileSync(path.join(dist, "404.html"), "utf8");
    expect(page).toBe(readFileSync(path.join(dist, base, "errors/not_found.json"), "utf8"));
    const named = namedIn(JSON.parse(page).message);
    expect(named).toContain(`${mount}${base}/things.json`);
    expect(named.filter((at) => fileAt(at) === undefined)).toEqual([]);
  });

  it("has an OpenAPI document of the files, which is valid, and whose examples are answered", async () => {
    const document = JSON.parse(readFileSync(path.join(dist, base, "openapi.json"), "utf8"));
    expect(await validate("https://spec.openapis.org/oas/3.1/schema-base", document)).toEqual({ valid: true });
    expect(document.servers).toEqual([{ url: "https://name.example.com" }]);
    let examples = 0;
    for (const [at, { get }] of Object.entries<{ readonly get: Operation }>(document.paths)) {
      expect(at.startsWith(`${mount}/`), at).toBe(true);
      for (const { summary = "", value } of Object.values(
        get.responses["200"].content["application/json"]?.examples ?? {},
      )) {
        const file = fileAt(summary.replace(/^GET |:.*$/g, ""));
        const { data, ...answer } = JSON.parse(readFileSync(file ?? summary, "utf8"));
        expect({ ...answer, data: data?.slice(0, value.data?.length) }).toEqual({ data: undefined, ...value });
        examples++;
      }
      const filled = at.replace(/\{(.*?)\}/g, (_, name) =>
        String(get.parameters?.find((one) => one.name === name)?.example ?? ""),
      );
      // The items whose files an output has are not known from its path.
      if (!get.operationId.startsWith("output") && !filled.includes("/cursor/.json"))
        expect(fileAt(filled) ?? `no ${filled}`).toContain(dist);
    }
    expect(examples).toBeGreaterThan(5);
  });

  // The file server of test/conformance/ is asked for everything at its root.
  if (mount === "") return;
  it("is what verify expects and what the preview serves", async () => {
    const { findings } = await verify(new URL(`${server.origin}${mount}`), openBuild(dist), { host: plain });
    expect(findings).toEqual([]);
    const preview = await startPreview(dist, 0);
    try {
      // Without the deviations of a host.
      const previewed = await verify(new URL(`${preview.origin}${mount}`), openBuild(dist));
      expect(previewed.findings).toEqual([]);
      expect(previewed.compared).toBeGreaterThan(500);
      for (const at of preview.paths) {
        const response = await fetch(preview.origin + at);
        expect({ at, status: response.status }).toEqual({ at, status: 200 });
      }
      expect((await fetch(`${preview.origin}${mount}${base}/things?limit=5`)).status).toBe(404);
      const page = await fetch(`${preview.origin}${mount}${base}/things/limit/5.json`);
      expect(page.headers.get("content-type")).toBe("application/json");
    } finally {
      await preview.stop();
    }
  });
});

describe("several APIs below a path", () => {
  const mount = "/my-api";
  const bases = ["/api/v2", "/api/v1"] as const;
  const deprecated = { since: "2026-11-01", use: "/api/v2" };
  const apis = [everythingAt("/api/v2"), { ...everythingAt("/api/v1"), deprecated }] as const;
  const content = path.join(folder, "several-content");
  const dist = path.join(folder, "several-dist");
  let server: Listening;

  beforeAll(async () => {
    writeContent(content, `https://name.example.com${mount}`);
    await builtSeveral({ apis, content, out: dist, hosts: [plain] });
    server = await serveFiles(dist, mount, bases);
  });

  afterAll(() => server.stop());

  it.each(bases)("gives a client the lists, items, documents and changes of %s", async (base) => {
    const client = anyClient(`${server.origin}${mount}${base}`);
    const total = await client["things"]?.count();
    const all: unknown[] = [];
    for await (const item of client["things"]?.items({ sort: "newest", limit: 25 }) ?? []) all.push(item);
    expect([total, all.length]).toEqual([130, 130]);
    expect(await client["default"]?.item("f0")).toMatchObject({ id: "f0", of: "acme" });
    expect(await client.health()).toEqual({ works: true });
    const copy = new Map<string, unknown>();
    await client["exhibits"]?.sync(copy);
    expect(copy.get("e1")).toMatchObject({
      photo: { url: expect.stringContaining(`${mount}${base}/files/photos/a.jpg?`) },
    });
    for await (const change of client.changes()) expect(change).toBeUndefined();
    await expect(client["things"]?.get({ region: "zzz" })).rejects.toMatchObject({ code: "invalid_region" });
  });

  it("is what verify expects of each", async () => {
    const build = openBuild(dist);
    const preview = await startPreview(dist, 0);
    try {
      for (const table of build.tables()) {
        const { findings } = await verify(new URL(`${preview.origin}${mount}`), build, {}, table);
        expect({ base: table.base, findings }).toEqual({ base: table.base, findings: [] });
      }
    } finally {
      await preview.stop();
    }
  });

  it("says below which address the API to use is", () => {
    const document = JSON.parse(readFileSync(path.join(dist, "api/v1/openapi.json"), "utf8"));
    expect(document.info.description).toContain(`Use \`${mount}/api/v2\` instead.`);
    const page = readFileSync(path.join(dist, "api/v1/docs/index.html"), "utf8");
    expect(page).toContain(`<a href="${mount}/api/v2/docs/">`);
  });

  it("leads to a file by every link, and names files of all where there is none", () => {
    expect(lostLinks(dist, mount)).toEqual([]);
    const named = namedIn(JSON.parse(readFileSync(path.join(dist, "404.html"), "utf8")).message);
    expect(named).toEqual(expect.arrayContaining([`${mount}/api/v2/things.json`, `${mount}/api/v1.json`]));
    expect(named.filter((at) => fileIn(dist, mount, at) === undefined)).toEqual([]);
  });

  it("is continued by the next build, from its address", async () => {
    const out = path.join(folder, "several-next");
    const history = { from: `${server.origin}${mount}`, now: 1_900_000_000, isNamed: true };
    const plan = await builtSeveral({ apis, content, out, hosts: [plain], history });
    expect(plan.apis).toHaveLength(2);
  });
});

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly example?: unknown }[];
  readonly responses: {
    readonly "200": {
      readonly content: Readonly<
        Record<
          string,
          {
            readonly examples?: Readonly<
              Record<string, { readonly summary?: string; readonly value: { readonly data?: unknown[] } }>
            >;
          }
        >
      >;
    };
  };
}
