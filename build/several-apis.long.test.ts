// Several APIs in one publish root: its marker, the builds before, and what a build may remove.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import * as z from "zod";
import { slug } from "../src/declare/forms.ts";
import { defineApi, defineCollection } from "../src/index.ts";
import type { Api, Apis } from "../src/model/api.ts";
import { contentsOf } from "../test/output/folder.ts";
import { builtSeveral, lineOf } from "../test/plan.ts";
import { serve } from "../test/serve.ts";
import { temporaryFolder } from "../test/temporary.ts";
import { build } from "./build.ts";
import { completeApi } from "./declaration/complete.ts";
import type { HistoryOptions } from "./history/previous.ts";
import { adapters } from "./hosts/hosts.ts";
import { openLog } from "./messages.ts";
import { openBuild } from "./published/build.ts";

const folder = temporaryFolder();
const content = path.join(folder, "content");
mkdirSync(content);

const plants = defineCollection({
  purpose: "Plants.",
  schema: z.strictObject({ id: slug.describe("Id.") }),
  key: "id",
});
const apiAt = (base: string): Api => completeApi(defineApi({ base, collections: { plants } }));
const v1 = apiAt("/api/v1");
const v2 = apiAt("/api/v2");

const now = 1_800_000_000;

function write(count: number): void {
  const ids = Array.from({ length: count }, (_, index) => ({ id: `p${String(index).padStart(3, "0")}` }));
  writeFileSync(path.join(content, "plants.json"), JSON.stringify(ids));
}

const after = (from: string, more: Partial<HistoryOptions> = {}) => ({ from, now, ...more });

/** The messages of a build, and whether it was made. */
async function tryBuild(apis: Apis, out: string, history: HistoryOptions, hosts: readonly string[] = []) {
  const log = openLog();
  const options = { apis, content, out, hosts: adapters(hosts), deployment: undefined, today: "2027-01-15", history };
  const quiet = {
    onRead: async () => undefined,
    onPlan: () => undefined,
    onChange: () => undefined,
    onWait: () => undefined,
  };
  const built = await build(options, log, quiet);
  return { lines: log.messages().shown.map(lineOf), isBuilt: built !== undefined };
}

const marker = (out: string) => JSON.parse(readFileSync(path.join(out, "routing.json"), "utf8"));

it("the marker of one API is a table, and that of several has the tables of the others", async () => {
  write(3);
  const one = path.join(folder, "one");
  const both = path.join(folder, "both");
  await builtSeveral({ apis: [v2], content, out: one });
  await builtSeveral({ apis: [v2, v1], content, out: both });
  expect(marker(one)).not.toHaveProperty("others");
  const { others, ...first } = marker(both);
  expect(others.map(({ base, state }: { base: string; state: string }) => [base, state.length])).toEqual([
    ["/api/v1", 64],
  ]);
  expect(first.owns).toEqual(expect.arrayContaining(["api/v2/", "api/v1/", "404.html", "index.html"]));
  expect(
    openBuild(both)
      .tables()
      .map(({ base }) => base),
  ).toEqual(["/api/v2", "/api/v1"]);
  // Each is the API that it is alone, but for what names the other.
  const alone = path.join(folder, "alone");
  await builtSeveral({ apis: [v1], content, out: alone });
  const differs = ["docs/"];
  const filesOf = (out: string) =>
    Object.entries(contentsOf(path.join(out, "api/v1"))).filter(
      ([file]) => !differs.some((name) => file.startsWith(name)),
    );
  expect(filesOf(both)).toEqual(filesOf(alone));
});

it("an API may join a folder, and does not go without --replace", async () => {
  write(3);
  const out = path.join(folder, "joined");
  await builtSeveral({ apis: [v1], content, out });
  await builtSeveral({ apis: [v2, v1], content, out });
  const before = contentsOf(out);
  await expect(builtSeveral({ apis: [v2], content, out })).rejects.toThrow(
    `${out} holds the API /api/v1, which this build of /api/v2 would remove.`,
  );
  expect(contentsOf(out)).toEqual(before);
  await builtSeveral({ apis: [v2], content, out, replaces: true });
  expect(existsSync(path.join(out, "api/v1"))).toBe(false);
  expect(existsSync(path.join(out, "api/v1.json"))).toBe(false);
  expect(Object.keys(contentsOf(out))).toContain("api/v2/plants.json");
});

it.each(["folder", "address"])(
  "a new API beside one of the previous build is no first build, in a %s",
  async (kind) => {
    write(250);
    const first = path.join(folder, `first-${kind}`);
    await builtSeveral({ apis: [v1], content, out: first, history: after(first) });
    write(249);
    const root = await serve((request, response) => {
      const file = path.join(first, request.url ?? "");
      if (existsSync(file)) response.end(readFileSync(file));
      else response.writeHead(404).end();
    });
    for (const from of kind === "folder" ? [first] : [root, `${root}/api/v1`, `${root}/api/v2/`]) {
      const out = path.join(folder, `next-${kind}`);
      rmSync(out, { recursive: true, force: true });
      const { lines, isBuilt } = await tryBuild([v2, v1], out, after(from, { isNamed: true, now: now + 60 }));
      expect({ lines, isBuilt }).toEqual({ lines: [], isBuilt: true });
      const changesOf = (base: string) => JSON.parse(readFileSync(path.join(out, base, "changes.json"), "utf8")).data;
      expect(changesOf("api/v1")).toMatchObject([{ collections: { plants: { removed: ["p249"] } } }]);
      expect(changesOf("api/v2")).toEqual([]);
    }
  },
);

it("a previous build with none of the APIs is missing, and an interrupted one is known by each", async () => {
  write(3);
  const empty = path.join(folder, "empty");
  mkdirSync(empty);
  const out = path.join(folder, "required");
  const { lines, isBuilt } = await tryBuild([v2, v1], out, after(empty, { isNamed: true }));
  expect(isBuilt).toBe(true);
  const missing = expect.stringContaining(`previous-unread There is no previous build at ${empty}.`);
  expect(lines).toEqual([missing]);
  // The folder has the state of an API, and the routing table of another build.
  const both = path.join(folder, "interrupted");
  await builtSeveral({ apis: [v2, v1], content, out: both });
  const later = path.join(folder, "later");
  cpSync(both, later, { recursive: true });
  writeFileSync(path.join(later, "api/v1/cursors.json"), "{}");
  const broken = await tryBuild([v2, v1], path.join(folder, "after"), after(later));
  expect(broken.lines).toEqual([expect.stringContaining("previous-unread")]);
  const named = await tryBuild([v2, v1], path.join(folder, "never"), after(later, { isNamed: true }));
  expect(named.lines).toEqual([expect.stringContaining("previous-lost")]);
  expect(named.isBuilt).toBe(false);
});

it("the list of changes of each API has the values of that API, until they are taken back", async () => {
  const named = z.strictObject({ id: slug.describe("Id."), name: z.string().describe("Name.") });
  const titled = z.strictObject({ id: slug.describe("Id."), title: z.string().describe("Title.") });
  const options = { purpose: "Plants.", key: "id" } as const;
  const transform = ({ id, name }: Readonly<Record<string, unknown>>) => ({ id, title: String(name).toUpperCase() });
  const apis: Apis = [
    completeApi(
      defineApi({
        base: "/api/v2",
        collections: { plants: defineCollection({ ...options, schema: titled, transform }) },
      }),
    ),
    completeApi(
      defineApi({ base: "/api/v1", collections: { plants: defineCollection({ ...options, schema: named }) } }),
    ),
  ];
  const writeNames = (...names: readonly string[]) =>
    writeFileSync(path.join(content, "plants.json"), JSON.stringify(names.map((name, id) => ({ id: `p${id}`, name }))));
  const out = path.join(folder, "named");
  const fieldsOf = (base: string) => {
    const { data } = JSON.parse(readFileSync(path.join(out, base, "changes.json"), "utf8"));
    return data.map(({ collections }: { collections: { plants: { fields?: object } } }) => collections.plants.fields);
  };
  writeNames("Mint", "Plum");
  await builtSeveral({ apis, content, out, history: after(out) });
  writeNames("Mint", "Cherry");
  await builtSeveral({ apis, content, out, history: after(out, { now: now + 60 }) });
  expect(fieldsOf("api/v2")).toEqual([{ p1: { title: ["PLUM", "CHERRY"] } }]);
  expect(fieldsOf("api/v1")).toEqual([{ p1: { name: ["Plum", "Cherry"] } }]);
  await builtSeveral({ apis, content, out, history: after(out, { now: now + 120, forgotten: ["plants/p1"] }) });
  expect([...fieldsOf("api/v2"), ...fieldsOf("api/v1")]).toEqual([undefined, undefined]);
});

it("limits count all APIs, and tell the share of each", async () => {
  write(3);
  const out = path.join(folder, "limited");
  const { budget, count } = await builtSeveral({ apis: [v2, v1], content, out, hosts: adapters(["plain"]) });
  const [files] = budget.filter(({ what }) => what === "files");
  const shares = Object.entries(files?.apis ?? {});
  expect(shares.map(([base]) => base)).toEqual(["/api/v2", "/api/v1"]);
  // The others are the routing table and the files of the host.
  expect([files?.used, shares.reduce((sum, [, share]) => sum + share, 0)]).toEqual([count, count - 3]);
});
