// An API on a server that knows nothing: its documents name files, and the client does everything that it does elsewhere.
import { getEventListeners } from "node:events";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { validate } from "@hyperjump/json-schema/openapi-3-1";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ApiTypes } from "../../../src/answers/answers.ts";
import { clientOf } from "../../../src/answers/client/create.ts";
import type { CallOptions } from "../../../src/answers/client/types.ts";
import { type Built, buildForTest } from "../../../test/check/built.ts";
import { acceptedValues, choiceSets, expectedListing } from "../../../test/check/dataset.ts";
import { everything, writeEverything } from "../../../test/check/everything.ts";
import { linksIn } from "../../../test/documents/check-page.ts";
import { type Listening, listen } from "../../../test/serve.ts";
import { temporaryFolder } from "../../../test/temporary.ts";
import { startPreview, tagOf } from "../../cli/preview/preview.ts";
import { everyChoice } from "../../pages/listing.ts";
import { openBuild } from "../../published/build.ts";
import { verify } from "../../verify/verify.ts";
import { plain } from "./index.ts";

const folder = temporaryFolder();

/** The files below a folder, with slashes. */
const filesBelow = (root: string): readonly string[] =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, "/"));

describe.each(["", "/my-api"])("below %j", (mount) => {
  const name = mount === "" ? "root" : "mount";
  const content = path.join(folder, `${name}-content`);
  const dist = path.join(folder, `${name}-dist`);
  const { base } = everything;
  let built: Built;
  let server: Listening;
  let asked: string[] = [];

  /** The file at a path; undefined if there is none. */
  const fileAt = (target: string): string | undefined => {
    const at = decodeURI(target.replace(/[?#].*/s, ""));
    if (!at.startsWith(`${mount}/`)) return undefined;
    const file = path.join(dist, at.slice(mount.length).replace(/\/$/, "/index.html"));
    return statSync(file, { throwIfNoEntry: false })?.isFile() ? file : undefined;
  };

  beforeAll(async () => {
    writeEverything(content);
    // This host sends no policy for one that runs something.
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>';
    writeFileSync(path.join(content, "photos/2026/b.svg"), svg);
    const settings = path.join(content, "api.yaml");
    const url = `url: https://name.example.com${mount}\n`;
    writeFileSync(settings, `${readFileSync(settings, "utf8")}${url}`);
    built = await buildForTest(content, dist, [plain], everything);
    server = await listen(
      createServer((request, response) => {
        const target = request.url ?? "";
        asked.push(target);
        const file = fileAt(target);
        if (file !== undefined) {
          const tag = tagOf(readFileSync(file));
          const isKnown = request.headers["if-none-match"] === tag;
          response.writeHead(isKnown ? 304 : 200, { ETag: tag }).end(isKnown ? undefined : readFileSync(file));
        }
        // A server that lists folders, or has a page of its own.
        else if (target === `${mount}${base}`)
          response.writeHead(200, { "Content-Type": "text/html" }).end("<ul></ul>");
        else response.writeHead(target.includes("zzz") ? 403 : 404).end("<h1>Not found</h1>");
      }),
    );
  });

  afterAll(() => server.stop());

  interface AnyMethods {
    get(
      params?: object,
    ): Promise<{ readonly data: readonly unknown[]; readonly pagination?: { readonly limit: number } }>;
    items(params?: object): AsyncIterable<unknown>;
    count(params?: object): Promise<number>;
    item(...key: readonly unknown[]): Promise<unknown>;
    sync(copy: Map<string, unknown>, since?: string): Promise<string>;
  }
  const clientWith = (options = {}) =>
    clientOf<ApiTypes>(`${server.origin}${mount}${base}`, options) as unknown as Readonly<
      Record<string, AnyMethods>
    > & {
      readonly health: (options?: CallOptions) => Promise<unknown>;
      readonly changes: (options?: object) => AsyncIterable<unknown>;
    };
  const methods = (list: string, options?: object): AnyMethods => {
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
      for (const set of [[], ...choiceSets(operation)]) {
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
    expect(listings).toBeGreaterThan(60);
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
    // A parameter that the list does not have is left out.
    expect((await things.get({ limit: 5, utm: "x" })).data).toHaveLength(5);
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
    const { createClient }: typeof import("../../documents/browser/client.ts") = await import(
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
    const pages = filesBelow(dist).filter((file) => file.endsWith(".html") && file !== "404.html");
    expect(pages.length).toBeGreaterThan(10);
    const lost = pages.flatMap((page) =>
      linksIn(readFileSync(path.join(dist, page), "utf8"))
        .filter((href) => !/^(?:[a-z]+:|#)/.test(href) && fileAt(href) === undefined)
        .map((href) => `${page}: ${href}`),
    );
    expect(lost).toEqual([]);
    const overview = JSON.parse(readFileSync(path.join(dist, `${base}.json`), "utf8"));
    expect(overview.addresses).toBe("files");
    const paths = [...overview.operations, ...overview.documents, ...overview.outputs].map((entry) => entry.path);
    expect(paths.filter((each: string) => !each.includes("{") && fileAt(each) === undefined)).toEqual([]);
  });

  it("names files that exist in the answer where there is none", () => {
    const page = readFileSync(path.join(dist, "404.html"), "utf8");
    expect(page).toBe(readFileSync(path.join(dist, base, "errors/not_found.json"), "utf8"));
    const named: readonly string[] = JSON.parse(page).message.match(/(?<= )\/[^ ,]*(?=[,.])/g);
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
      if (!get.operationId.startsWith("output") && !filled.includes("/cursor/"))
        expect(fileAt(filled) ?? `no ${filled}`).toContain(dist);
    }
    expect(examples).toBeGreaterThan(5);
  });

  it("is what verify expects and what the preview serves", async () => {
    const { findings } = await verify(new URL(`${server.origin}${mount}`), openBuild(dist), { host: plain });
    expect(findings).toEqual([]);
    const preview = await startPreview(dist, 0);
    try {
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
