import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, renameSync, unlinkSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import path from "node:path";
import { expect, inject, it, vi } from "vitest";
import { expectOutput } from "../../../docs/follow.ts";
import { quotationsFor } from "../../../docs/pages.ts";
import { ask } from "../../../test/ask.ts";
import { sampleIn, start, until } from "../../../test/cli/dev.ts";
import { temporaryFolder } from "../../../test/temporary.ts";
import { pauses } from "../dev/changes.ts";

const folder = temporaryFolder();
const sample = (name: string) => sampleIn(folder, name);

it("serves what is saved, replaced, added and removed, and the last valid content while there are faults", async () => {
  const { content, regions, right, named } = sample("content");
  const { origin, printed, get } = await start(content);
  const { headers } = await ask(origin(), { method: "GET", path: "/api/v1/regions", query: "" });
  expect(headers["cache-control"]).toBe("no-cache");
  const isServed = (text: string) => until(async () => expect(await get("/api/v1/regions")).toContain(text));
  await isServed(String(right[0]?.name));

  writeFileSync(regions, named("London"));
  await isServed("London");
  writeFileSync(`${folder}/saved.json`, named("Londinium"));
  renameSync(`${folder}/saved.json`, regions);
  await isServed("Londinium");

  const file = path.join(content, "nodes/eu/new.json");
  mkdirSync(path.dirname(file), { recursive: true });
  const node = { id: "nod_new", created_at: "2030-01-01T00:00:00Z", status: "ready", capacity: "10G" };
  writeFileSync(file, JSON.stringify({ ...node, pop: right[0]?.code }));
  await until(async () => expect(await get("/api/v1/nodes")).toContain("nod_new"));
  unlinkSync(file);
  await until(async () => expect(await get("/api/v1/nodes")).not.toContain("nod_new"));

  writeFileSync(regions, named("").replace(/"country":"../, '"country":"gb'));
  await until(() => expect(printed()).toMatch(/regions\.json:1:\d+ wrong-value .*\n✗ .*; the last valid content is/));
  expect(await get("/api/v1/regions")).toContain("Londinium");
  expect(await get("/api/v1/docs/")).toContain("regions.json:1:");
  writeFileSync(regions, named("Mended"));
  await isServed("Mended");
  expect(await get("/api/v1/docs/")).not.toContain("regions.json:1:");

  renameSync(content, `${content}-away`);
  await until(() => expect(printed()).toContain("✗ There is no folder "));
  renameSync(`${content}-away`, content);
  writeFileSync(regions, named("Back"));
  await isServed("Back");
  expect(readdirSync(folder)).not.toContain("dist");
});

it("uses the next port if the requested one is in use, and says so", async () => {
  const { content } = sample("first");
  const port = Number(/127\.0\.0\.1:(\d+)/.exec((await start(content)).printed())?.[1]);
  // Two watchers of one folder in one process would share their handles.
  const { printed } = await start(sample("second").content, undefined, port);
  const [, busy, next] = /Port (\d+) is in use; using (\d+)\.\n/.exec(printed()) ?? [];
  expect([Number(busy), Number(next) > port]).toEqual([port, true]);
  expect(printed()).toContain(`on http://127.0.0.1:${next} `);
});

it("rejects if there is no content", async () => {
  await expect(start(path.join(folder, "nowhere"))).rejects.toThrow("There is no folder");
});

it("serves as soon as the faults that it started with are fixed", async () => {
  const { content, regions, named } = sample("faulty");
  writeFileSync(regions, "[");
  const { printed, get } = await start(content);
  expect(printed()).toContain("✗ 1 fault in 1 file");
  expect(printed()).not.toContain("Serving");
  writeFileSync(regions, named("Right"));
  await until(() => expect(printed()).toContain("Serving"));
  expect(await get("/api/v1/regions")).toContain("Right");
});

it("waits for the end of a save or a checkout: each change starts the pause anew, which depends on the changes", async () => {
  const { content, regions, right } = sample("checked-out");
  const { printed, get } = await start(content);
  /** The pauses end when the test says so, since a busy machine may take longer for a file. */
  const paused: { readonly length: number; readonly end: () => void; readonly timer: NodeJS.Timeout }[] = [];
  const timeout = setTimeout;
  const clear = vi.spyOn(globalThis, "clearTimeout");
  vi.spyOn(globalThis, "setTimeout").mockImplementation(((end: () => void, length: number) => {
    if (!Object.values(pauses).includes(length)) return timeout(end, length);
    const timer = timeout(() => undefined, 0);
    paused.push({ length, end, timer });
    return timer;
  }) as typeof setTimeout);
  /** Without further changes, the last pause is followed by one of this length. */
  const followedBy = (length: number) =>
    until(() => {
      if (paused.at(-1)?.length !== length) paused.at(-1)?.end();
      expect(paused.at(-1)?.length).toBe(length);
    });
  // As editors write before they rename.
  writeFileSync(`${regions}.tmp`, "");
  await followedBy(pauses.afterOther);
  renameSync(`${regions}.tmp`, `${regions}.new.json`);
  await until(() => expect(paused.at(-1)?.length).toBe(pauses.afterSave));
  unlinkSync(`${regions}.new.json`);
  unlinkSync(regions);
  mkdirSync(path.join(content, "regions"));
  for (let file = 0; file < 12; file++) writeFileSync(path.join(content, `regions/empty${file}.json`), "[]");
  await followedBy(pauses.afterCheckout);
  for (const [index, region] of [...right, { ...right[0], code: "zzz9" }].entries()) {
    const before = paused.length;
    writeFileSync(path.join(content, `regions/${index}.json`), JSON.stringify(region));
    await until(() => expect(paused.length).toBeGreaterThan(before));
  }
  for (const { timer } of paused.slice(0, -1)) expect(clear.mock.calls.flat()).toContain(timer);
  await followedBy(pauses.afterCheckout);
  paused.at(-1)?.end();
  await until(async () => expect(await get("/api/v1/regions")).toContain("zzz9"));
  expect(printed()).not.toContain("✗");
});

it("serves a changed file beside the data under another url", async () => {
  const project = path.join(folder, "pictured");
  const content = path.join(project, "content");
  const config = path.join(project, "api.config.ts");
  const photo = path.join(content, "pictures/a.svg");
  mkdirSync(path.dirname(photo), { recursive: true });
  const svg = (width: number) => `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="2"/>`;
  writeFileSync(photo, svg(3));
  writeFileSync(path.join(content, "photos.json"), '[{ "id": "a", "photo": "pictures/a.svg" }]');
  writeFileSync(
    config,
    `import * as z from "zod"; import { defineApi, defineCollection, image } from "stillapi"; import { slug } from "stillapi/forms";
const photos = defineCollection({ purpose: "Photos.", schema: z.strictObject({ id: slug, photo: image() }), key: "id" });
export default defineApi({ collections: { photos } });`,
  );
  const { get } = await start(content, config);
  const answered = async () => {
    const { data } = JSON.parse(await get("/api/v1/photos"));
    return data[0].photo;
  };
  const before = await answered();
  expect(before).toMatchObject({ width: 3, height: 2 });
  expect(await get("/api/v1/files/pictures/a.svg")).toBe(svg(3));
  writeFileSync(photo, svg(4));
  await until(async () => expect(await answered()).toMatchObject({ width: 4, height: 2 }));
  const { url } = await answered();
  expect(url).not.toBe(before.url);
  const [address = ""] = String(url).split("?");
  expect(await get(address)).toBe(svg(4));
  unlinkSync(photo);
  writeFileSync(path.join(content, "photos.json"), "[]");
  await until(async () => expect(await get(address)).toContain("not_found"));
});

it("watches the folders outside of the content folder that have items, and names them", async () => {
  const project = path.join(folder, "monorepo");
  const content = path.join(project, "api/content");
  const config = path.join(project, "api/api.config.ts");
  const service = path.join(project, "services/one/service.json");
  for (const file of [path.join(content, "any"), service]) mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(service, '{ "id": "one", "name": "One" }');
  writeFileSync(
    config,
    `import * as z from "zod"; import { defineApi, defineCollection } from "stillapi"; import { label, slug } from "stillapi/forms";
const services = defineCollection({
  purpose: "Services.",
  schema: z.strictObject({ id: slug, name: label }),
  key: "id",
  files: { folder: "../services", match: "*/service.json" },
});
export default defineApi({ collections: { services } });`,
  );
  const { printed, get } = await start(content, config);
  expect(printed()).toContain(`Watching ${content}, ${path.relative("", path.join(project, "services"))}.\n`);
  writeFileSync(service, '{ "id": "one", "name": "Another" }');
  await until(async () => expect(await get("/api/v1/services")).toContain("Another"));
});

it("reports no faults of files that others follow while they are read", async () => {
  const project = path.join(folder, "followed");
  const content = path.join(project, "content");
  const config = path.join(project, "api.config.ts");
  const held = path.join(project, "held");
  const isRead = path.join(project, "is-read");
  mkdirSync(content, { recursive: true });
  const cities = path.join(content, "cities.json");
  const regions = path.join(content, "regions.json");
  writeFileSync(cities, '[{ "id": "bonn", "region": "rhineland" }]');
  writeFileSync(regions, '[{ "id": "rhineland" }]');
  writeFileSync(
    config,
    `import { existsSync, writeFileSync } from "node:fs"; import { setTimeout } from "node:timers/promises"; import * as z from "zod";
import { defineApi, defineCollection, reference } from "stillapi"; import { slug } from "stillapi/forms";
const things = (fields, options = {}) => defineCollection({ purpose: "Things.", schema: z.strictObject({ id: slug, ...fields }), key: "id", ...options });
async function load() {
  if (existsSync(${JSON.stringify(held)})) writeFileSync(${JSON.stringify(isRead)}, "");
  while (existsSync(${JSON.stringify(held)})) await setTimeout(10);
  return [];
}
const collections = { regions: things({}), cities: things({ region: reference("regions") }), slow: things({}, { load }) };
export default defineApi({ collections });`,
  );
  const { printed, get } = await start(content, config);
  writeFileSync(held, "");
  writeFileSync(cities, '[{ "id": "kiel", "region": "holstein" }]');
  await until(() => expect(existsSync(isRead)).toBe(true));
  writeFileSync(regions, '[{ "id": "holstein" }]');
  unlinkSync(held);
  await until(async () => expect(await get("/api/v1/cities")).toContain("holstein"));
  expect(printed()).not.toContain("✗");
});

it("plans again if the declaration changes, and reports its faults", async () => {
  const project = path.join(folder, "declared");
  const content = path.join(project, "content");
  const config = path.join(project, "api.config.ts");
  const declare = (key: string, more = "") =>
    writeFileSync(
      config,
      `import * as z from "zod"; import { defineApi, defineCollection } from "stillapi"; import { slug } from "stillapi/forms";
const cities = defineCollection({ purpose: "Cities.", schema: z.strictObject({ id: slug${more} }), key: "${key}" });
export default defineApi({ collections: { cities } });`,
    );
  mkdirSync(content, { recursive: true });
  writeFileSync(path.join(content, "cities.json"), '[{ "id": "bonn" }]');
  declare("id");
  const { printed, get } = await start(content, config);
  declare("id", ", name: z.string()");
  await until(() => expect(printed()).toMatch(/ the declaration\n.*cities\.json:1:\d+ missing-field /));
  declare("idd");
  await until(() => expect(printed()).toMatch(/api\.config\.ts:2:\d+ no-such-name /));
  // Several files may be saved one after the other.
  writeFileSync(path.join(content, "cities.json"), '[{ "id": "paris" }]');
  declare("id");
  await until(async () => expect(await get("/api/v1/cities")).toContain("paris"));
});

it("plans again if a file is saved whose name starts with a dot, as a glob does", async () => {
  const project = path.join(folder, "dotted");
  const content = path.join(project, "content");
  const config = path.join(project, "api.config.ts");
  mkdirSync(path.join(content, ".data"), { recursive: true });
  writeFileSync(path.join(content, ".data/cities.json"), '[{ "id": "bonn" }]');
  writeFileSync(
    config,
    `import * as z from "zod"; import { defineApi, defineCollection } from "stillapi"; import { slug } from "stillapi/forms";
const schema = z.strictObject({ id: slug });
const cities = defineCollection({ purpose: "Cities.", schema, key: "id", files: ".data/*.json" });
export default defineApi({ collections: { cities } });`,
  );
  const { get } = await start(content, config);
  await until(async () => expect(await get("/api/v1/cities")).toContain("bonn"));
  writeFileSync(path.join(content, ".data/cities.json"), '[{ "id": "paris" }]');
  await until(async () => expect(await get("/api/v1/cities")).toContain("paris"));
});

it("plans again if a module is saved while the declaration that imports it runs", async () => {
  const project = path.join(folder, "imported");
  const content = path.join(project, "content");
  const config = path.join(project, "api.config.ts");
  const module = path.join(project, "size.ts");
  mkdirSync(content, { recursive: true });
  writeFileSync(path.join(content, "cities.json"), '[{ "id": "bonn" }]');
  writeFileSync(module, "export const size = 1;");
  writeFileSync(
    config,
    `import { writeFileSync } from "node:fs"; import * as z from "zod";
import { defineApi, defineCollection } from "stillapi"; import { slug } from "stillapi/forms";
import { size } from "./size.ts";
if (size === 1) writeFileSync(${JSON.stringify(module)}, "export const size = 2;");
const schema = z.strictObject({ id: slug, size: z.int().default(size) });
export default defineApi({ collections: { cities: defineCollection({ purpose: "Cities.", schema, key: "id" }) } });`,
  );
  const { get } = await start(content, config);
  await until(async () => expect(await get("/api/v1/cities")).toContain('"size":2'));
});

it("plans nothing with a declaration that is gone", async () => {
  const { content, regions, named } = sample("gone");
  const config = path.join(folder, "gone.config.ts");
  writeFileSync(config, 'export { default } from "stillapi/edge-network";');
  const { printed, get } = await start(content, config);
  unlinkSync(config);
  const missing = () => printed().split("There is no file").length - 1;
  await until(() => expect(missing()).toBe(1));
  writeFileSync(regions, named("Elsewhere"));
  await until(() => expect(missing()).toBe(2));
  expect(await get("/api/v1/regions")).not.toContain("Elsewhere");
  writeFileSync(config, 'export { default } from "stillapi/edge-network";');
  await until(async () => expect(await get("/api/v1/regions")).toContain("Elsewhere"));
});

it("prints the warnings of a plan, and again only those of a plan that has others", async () => {
  const project = path.join(folder, "warned");
  const content = path.join(project, "content");
  const config = path.join(project, "api.config.ts");
  const declare = (files: string) =>
    writeFileSync(
      config,
      `import * as z from "zod"; import { defineApi, defineCollection } from "stillapi"; import { slug } from "stillapi/forms";
const schema = z.strictObject({ id: slug.describe("Names it."), name: slug.describe("Says it.") });
const parks = defineCollection({ purpose: "Parks.", schema, key: "id", files: "${files}" });
export default defineApi({ collections: { parks } });`,
    );
  mkdirSync(content, { recursive: true });
  writeFileSync(path.join(content, "api.yaml"), "title: One\n");
  declare("parx.*");
  const { printed, get } = await start(content, config);
  const place = `${path.relative(process.cwd(), config)}:3:72`;
  const warning = `${place} empty-collection (warning) The collection parks is empty: no file below content/ matches parx.*.\n`;
  expect(printed()).toContain(warning);
  writeFileSync(path.join(content, "api.yaml"), "title: Two\n");
  await until(async () => expect(await get("/api/v1")).toContain("Two"));
  expect(printed().split(warning)).toHaveLength(2);
  declare("parcs.*");
  await until(() => expect(printed()).toContain(warning.replace("parx", "parcs")));
});

/** Starts dev as a process. `args` are those of Node. */
function spawnDev(content: string, ...args: readonly string[]) {
  const child = spawn(process.execPath, [...args, inject("program"), "dev", "--content", content, "--port", "0"]);
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
    });
  }
  const ended = new Promise<number | null>((over) => child.once("close", over));
  return { child, ended, printed: () => printed };
}

it("runs from the command line until it is interrupted", async () => {
  const { content, regions, right, named } = sample("run");
  const nodes = path.join(content, "nodes/europe.ndjson");
  const node = (status: string): string =>
    JSON.stringify({
      id: "nod_lhr1a",
      created_at: "2030-01-01T00:00:00Z",
      status,
      capacity: "1G",
      pop: right[0]?.code,
    });
  mkdirSync(path.dirname(nodes));
  writeFileSync(nodes, node("operational"));
  const { child, printed, ended } = spawnDev(content);
  try {
    await until(() => expect(printed()).toMatch(/Serving .* on http:\/\/127\.0\.0\.1:\d+ .*\n(?:.*\n)+Watching /));
    writeFileSync(regions, named("Elsewhere"));
    await until(() => expect(printed()).toMatch(/\n\d\d:\d\d:\d\d regions\.json: \w+ changed name in \d+\.\d s\n/));
    writeFileSync(nodes, node("draining"));
    const [quoted = ""] = quotationsFor("build/cli/commands/dev.long.test.ts");
    await until(() => expectOutput(printed(), `…\n${quoted}`));
    writeFileSync(regions, "[");
    await until(() =>
      expect(printed()).toMatch(
        /\n\d\d:\d\d:\d\d regions\.json\n(?:.*\n)*.*regions\.json:1:\d+ syntax .*\n✗ 1 fault in 1 file; the last valid content is served/,
      ),
    );
  } finally {
    child.kill("SIGINT");
  }
  expect(await ended).toBe(0);
  expect(printed()).not.toContain("\u{1b}");
});

it("shows an internal error on the open pages before it ends", async () => {
  const { content, regions, named } = sample("failing");
  const isFailing = path.join(folder, "is-failing");
  const failing = path.join(folder, "failing.mjs");
  writeFileSync(
    failing,
    `import { existsSync } from "node:fs";
const { toTimeString } = Date.prototype;
Date.prototype.toTimeString = function () {
  if (existsSync(${JSON.stringify(isFailing)})) throw new RangeError("There is no time.");
  return toTimeString.call(this);
};`,
  );
  const { child, printed, ended } = spawnDev(content, "--import", failing);
  try {
    await until(() => expect(printed()).toContain("Watching "));
    const origin = / on (http:\S+) /.exec(printed())?.[1] ?? "";
    let events = "";
    get(`${origin}/__stillapi__/events`, (response) => {
      response.on("data", (chunk: Buffer) => {
        events += chunk.toString();
      });
      response.on("error", () => undefined);
    });
    await until(() => expect(events).toMatch(/^data: \{"plan":"[\d-]+"\}\n/));
    writeFileSync(isFailing, "");
    writeFileSync(regions, named("Late"));
    expect(await ended).toBe(2);
    expect(printed()).toMatch(/\nInternal error, please report it:\nRangeError: There is no time\.\n {4}at /);
    expect(events).toContain('"text":"dev has ended: RangeError: There is no time.');
  } finally {
    child.kill();
  }
});
