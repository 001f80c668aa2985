// Loading the state of an earlier build from a folder or over HTTP, and rejecting anything that is not a valid state.

import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { writeSample } from "../../test/check/sample.ts";
import { catalogItems, noSettings } from "../../test/content/folder.ts";
import { edgeNetwork } from "../../test/edge-network.ts";
import { earlierIn, foundState, historyAfter, noBuild } from "../../test/history/history-after.ts";
import { contentOf, errorsIn, lineOf } from "../../test/plan.ts";
import { serve } from "../../test/serve.ts";
import type { Catalog, Deployment } from "../content/catalog.ts";
import { chooseDeployment } from "../content/settings/deployments.ts";
import { valuesAt } from "../content/table/items.ts";
import { type Log, openLog } from "../messages.ts";
import { answersOf } from "../pages/answers.ts";
import { listings } from "../pages/listings.ts";
import { cursorsFile } from "../routing/paths.ts";
import { noValues } from "./build-state.ts";
import { type History, historyOf } from "./history.ts";
import { findAllPrevious, findPrevious, type HistoryOptions } from "./previous.ts";
import { stateDocuments } from "./state-documents.ts";

const folder = mkdtempSync(path.join(tmpdir(), "stillapi-history-"));
afterAll(() => rmSync(folder, { recursive: true }));

type Build = readonly [catalog: Catalog, deployment: Deployment];

async function sample(count: number): Promise<Build> {
  const content = path.join(folder, `content-${count}`);
  writeSample(content, { count, pageSizes: [5] });
  const catalog = await contentOf(content, edgeNetwork);
  return [catalog, chooseDeployment(catalog, undefined)];
}

const before = await sample(30);
const after = await sample(20);
const most = Number.POSITIVE_INFINITY;
const now = 1_700_000_000;

const bytesIn = ({ documents }: Pick<History, "documents">): Buffer =>
  Buffer.concat(documents.flatMap(({ parts }) => [...parts()]));

/** The collections of the builds whose cursors are still answered. */
const listed = <Kept extends Pick<History, "documents">>(history: Kept, { name } = after[1]) => ({
  ...history,
  earlier: earlierIn(bytesIn(history), name),
});

/** The state files of a build. */
async function stateOf([catalog, deployment]: Build, maxBytes = most): Promise<ReadonlyMap<string, Uint8Array>> {
  const { documents } = await historyAfter(catalog, deployment, noBuild, { now, maxBytes });
  return new Map(documents.map(({ file, parts }) => [file, Buffer.concat([...parts()])]));
}

function lay(files: ReadonlyMap<string, string | Uint8Array>): string {
  const root = mkdtempSync(path.join(folder, "root-"));
  mkdirSync(path.join(root, path.dirname(cursorsFile(edgeNetwork.base))), { recursive: true });
  for (const [file, bytes] of files) writeFileSync(path.join(root, file), bytes);
  return root;
}

const files =
  (of: ReadonlyMap<string, Uint8Array>): RequestListener =>
  (request, response) => {
    const bytes = of.get((request.url ?? "").slice(1));
    response.writeHead(bytes === undefined ? 404 : 200).end(bytes);
  };

async function loadFrom(options: HistoryOptions, log: Log) {
  const [catalog, deployment] = after;
  const found = await findAllPrevious(options, [edgeNetwork.base], log);
  const build = { catalog, deployment, ...answersOf(catalog, deployment), maxBytes: most, ...options };
  return historyOf(build, found.get(edgeNetwork.base) ?? noBuild, log);
}

/** The history that the build after another one loads, and its warnings as lines. */
async function recalled(from: string, options: Partial<HistoryOptions> = {}) {
  const log = openLog();
  const history = await loadFrom({ from, now, ...options }, log);
  if (history === undefined) throw new Error(JSON.stringify(log.messages()));
  return { ...listed(history), warnings: log.messages().shown.map(lineOf) };
}

const text = (value: unknown) =>
  new Map([[cursorsFile(edgeNetwork.base), typeof value === "string" ? value : JSON.stringify(value)]]);

it("knows the build in a folder, at an address, and at the address of its API", async () => {
  const state = await stateOf(before);
  const origin = await serve(files(state));
  const fromFolder = await recalled(lay(state));
  expect(fromFolder).toMatchObject({ earlier: [expect.any(Map)], warnings: [] });
  for (const address of [origin, `${origin}/`, `${origin}/api/v1`, `${origin}/api/v1/`]) {
    expect((await recalled(address)).earlier).toEqual(fromFolder.earlier);
  }
});

it("splits a state that is too large for one file, and reads it", async () => {
  const state = await stateOf(before, 2_000);
  expect(state.size).toBeGreaterThan(3);
  for (const bytes of state.values()) {
    expect(bytes.length).toBeLessThanOrEqual(2_000);
    JSON.parse(Buffer.from(bytes).toString());
  }
  const whole = await recalled(lay(await stateOf(before)));
  expect((await recalled(lay(state))).earlier).toEqual(whole.earlier);
  expect((await recalled(await serve(files(state)))).earlier).toEqual(whole.earlier);
  const third = cursorsFile(edgeNetwork.base, 3);
  const torn = new Map<string, Uint8Array>([
    ...state,
    [third, (await stateOf(after, 2_000)).get(third) ?? Buffer.of()],
  ]);
  expect(await recalled(lay(torn))).toMatchObject({
    earlier: [],
    warnings: [expect.stringContaining("its files belong to different builds")],
  });
  const missing = new Map([...state].filter(([file]) => file !== cursorsFile(edgeNetwork.base, 2)));
  expect(await recalled(lay(missing))).toMatchObject({
    warnings: [expect.stringContaining("is missing or damaged")],
  });
});

it("splits a state at any character, and reads it", async () => {
  const whole = Buffer.from(JSON.stringify("鹿😀".repeat(500)));
  for (const maxBytes of [1_000, 1_003, 1_006]) {
    const documents = stateDocuments(() => [whole], edgeNetwork.base, after[1], maxBytes);
    const state = new Map(documents.map(({ file, parts }) => [file, Buffer.concat([...parts()])]));
    for (const bytes of state.values()) expect(bytes.length).toBeLessThanOrEqual(maxBytes);
    const found = await findPrevious(lay(state), edgeNetwork.base);
    expect(found).toMatchObject({ kind: "state", bytes: whole });
  }
});

it("counts a build as the first if there is none before it, and warns if one was named", async () => {
  for (const from of [lay(new Map()), path.join(folder, "nowhere"), await serve(files(new Map()))]) {
    expect(await recalled(from)).toMatchObject({ earlier: [], warnings: [] });
    const warning = `previous-unread There is no previous build at ${from}. This build counts as the first.`;
    expect(await recalled(from, { isNamed: true })).toMatchObject({ earlier: [], warnings: [warning] });
  }
});

describe("goes on without", async () => {
  const left = JSON.parse(Buffer.concat([...(await stateOf(before)).values()]).toString());
  const [name = ""] = Object.keys(left.operations);
  const [, ...keys] = left.operations[name].keys;
  const count = keys.length + 1;
  const withoutValues = Object.keys(left.operations[name].known).map(() => "");
  const withOperation = (change: object) => ({
    ...left,
    operations: { ...left.operations, [name]: { ...left.operations[name], ...change } },
  });
  const withEarlier = (change: object) => ({
    ...left,
    earlier: [{ superseded: now, pages: 1, operations: { [name]: change } }],
  });

  const withChanges = (since: string, at?: string) => ({
    ...left,
    changes: {
      ...left.changes,
      since,
      data: at === undefined ? [] : [{ at, build: "b", collections: {}, documents: [] }],
    },
  });

  it.each<[string, string | object, string]>([
    ["a text", "hello", "stillapi did not write it"],
    ["a page of HTML", "<!doctype html>", "stillapi did not write it"],
    ["an empty file", "", "stillapi did not write it"],
    ["another program's", { ...left, generator: "other" }, "stillapi did not write it"],
    ["a later form", { ...left, form: 4 }, "it is of a later version of stillapi, in form 4 instead of 3"],
    ["an earlier form", { ...left, form: 2 }, "it is of an earlier version of stillapi, in form 2 instead of 3"],
    ["another deployment's", { ...left, deployment: "media" }, 'it belongs to the deployment "media"'],
    ["a torn file", JSON.stringify(left).slice(0, -20), "stillapi did not write it"],
    ["keys without values", withOperation({ keys }), "it is damaged"],
    ["keys in disorder", withOperation({ keys: ["b", "a"], values: {}, known: {} }), "it is damaged"],
    ["sizes out of range", withOperation({ sizes: [0, 1_000] }), "it is damaged"],
    ["edits of more items than there are", withEarlier({ edits: [1_000_000] }), "it is damaged"],
    ["edits of fewer items than there are", withEarlier({ edits: [1] }), "it is damaged"],
    ["edits that put in keys without values", withEarlier({ edits: [count, ["~"]] }), "it is damaged"],
    [
      "edits that put in a key twice",
      withEarlier({ edits: [count, [keys.at(-1), ...withoutValues]] }),
      "it is damaged",
    ],
    ["earlier builds that are none", { ...left, earlier: [1] }, "it is damaged"],
    ["a list that names no state", { ...left, changes: { ...left.changes, build: undefined } }, "it is damaged"],
    ["a list since a time that is no instant", withChanges("2027-99-99T99:99:99Z"), "it is damaged"],
    ["a list since a day that is not in the calendar", withChanges("2027-02-30T00:00:00Z"), "it is damaged"],
    ["a change at a time that is no instant", withChanges(left.changes.since, "2027-01-01T24:00:01Z"), "it is damaged"],
  ])("%s", async (_, value, reason) => {
    const { earlier, warnings, documents } = await recalled(lay(text(value)));
    expect(warnings).toEqual([
      expect.stringContaining(
        `previous-unread Could not read the previous build (${reason}), so earlier pages are not kept`,
      ),
    ]);
    // Builds after a damaged one work as before.
    expect(earlier.length).toBeLessThanOrEqual(1);
    expect(bytesIn({ documents }).subarray(0, 30)).toEqual(Buffer.from('{"generator":"stillapi","form"'));
  });

  it("times of a clock that was ahead, which become the present one", async () => {
    const ahead = withChanges("9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z");
    const { changes, warnings } = await recalled(lay(text({ ...ahead, items: {} })));
    expect(warnings).toEqual([]);
    const present = new Date(now * 1_000).toISOString().replace(".000", "");
    expect([changes?.since, ...new Set(changes?.data.map(({ at }) => at))]).toEqual([present, present]);
  });

  it("a folder in its place, and a file of 2 GB", async () => {
    const root = lay(new Map());
    mkdirSync(path.join(root, cursorsFile(edgeNetwork.base)));
    expect((await recalled(root)).warnings).toEqual([
      expect.stringMatching(
        /is not a file\), so earlier pages are not kept, and the list of changes starts with this build\. Existing cursors only work if a page of the new build starts at their position\.$/,
      ),
    ]);
    const large = lay(text("{}"));
    truncateSync(path.join(large, cursorsFile(edgeNetwork.base)), 2 ** 31);
    expect((await recalled(large)).warnings).toEqual([expect.stringContaining("it is longer than 500 MB")]);
  });
});

describe("a build that somebody names", async () => {
  const state = JSON.parse(Buffer.concat([...(await stateOf(before)).values()]).toString());
  const [name = ""] = Object.keys(state.operations);
  const damaged = [{ superseded: now, pages: 1, operations: { [name]: { edits: [1_000_000] } } }];

  it.each<[string, string | object]>([
    ["is of another program", "hello"],
    ["has a damaged state", { ...state, pages: -1 }],
    ["has a damaged list of builds", { ...state, earlier: damaged }],
  ])("is a fault, and the only one, if it %s", async (_, value) => {
    const log = openLog();
    const from = lay(text(value));
    expect(await loadFrom({ from, now, isNamed: true }, log)).toBeUndefined();
    expect(errorsIn(log)).toEqual([expect.stringMatching(/^previous-lost .* With --previous none, /)]);
    expect(errorsIn(log)[0]).toContain(from);
    expect(log.messages().shown).toHaveLength(1);
  });

  it.each<[string, object]>([
    ["of another deployment", { ...state, deployment: "media" }],
    ["of another version", { ...state, form: 2 }],
    [
      "of another API",
      { ...state, operations: {}, items: { lakes: { key: ["id"], order: [], keys: [], digests: "" } } },
    ],
  ])("is not used if it is whole and %s, which a warning says", async (_, value) => {
    const { earlier, warnings } = await recalled(lay(text(value)), { isNamed: true });
    expect(earlier).toEqual([]);
    expect(warnings).toEqual([expect.stringMatching(/^previous-unread /)]);
  });

  it("causes no message if it is used", async () => {
    expect((await recalled(lay(await stateOf(before)), { isNamed: true })).warnings).toEqual([]);
  });
});

const remembered = async (bytes: Uint8Array, at: number) =>
  listed(await historyAfter(...after, foundState(Buffer.from(bytes)), { now: at }));

it("takes a time in the future for now", async () => {
  const state = await stateOf(before);
  const later = await remembered(state.get(cursorsFile(edgeNetwork.base)) ?? Buffer.of(), now + 10_000);
  const left = bytesIn(later);
  const again = await remembered(left, now);
  expect(again.earlier).toEqual(later.earlier);
  expect(bytesIn(again).toString()).toContain(`"superseded":${now},`);
  expect((await remembered(left, now + 10_900)).earlier).toEqual([]);
});

it("takes builds that do not differ from the next one for none, however many there are", async () => {
  const state = JSON.parse(Buffer.concat([...(await stateOf(before)).values()]).toString());
  const nothing = { superseded: now, pages: 1, operations: {} };
  const bytes = Buffer.from(JSON.stringify({ ...state, earlier: Array.from({ length: 200_000 }, () => nothing) }));
  expect(await remembered(bytes, now)).toMatchObject({ earlier: { length: 1 }, warnings: [] });
});

it("starts an operation anew whose key, order or filters have changed, and keeps the others", async () => {
  const state = JSON.parse(Buffer.concat([...(await stateOf(before)).values()]).toString());
  const [name = "", ...others] = Object.keys(state.operations);
  state.operations[name].signature = "another";
  state.earlier = [
    { superseded: now, pages: 1, operations: { [name]: { edits: [state.operations[name].keys.length] } } },
  ];
  const { earlier, warnings, state: left } = await remembered(Buffer.from(JSON.stringify(state)), now);
  expect(warnings).toEqual([
    {
      code: "cursors-restart",
      text: `The key, order or filters of ${name} have changed, so earlier pages are not kept: existing cursors of ${name} only work if a page of the new build starts at their position.`,
    },
  ]);
  expect(others.length).toBeGreaterThan(0);
  expect(earlier.map((build) => [...build.keys()])).toEqual([others]);
  expect(Object.keys(JSON.parse(left.bytes.toString()).operations)).toEqual([name, ...others]);
});

it("warns of collections that start anew and of a damaged list of builds by two codes", async () => {
  const state = JSON.parse(Buffer.concat([...(await stateOf(before)).values()]).toString());
  const [name = "", other = ""] = Object.keys(state.operations);
  state.operations[name].signature = "another";
  state.earlier = [{ superseded: now, pages: 1, operations: { [other]: { edits: [1_000_000] } } }];
  const { warnings } = await remembered(Buffer.from(JSON.stringify(state)), now);
  expect(warnings).toEqual([
    { code: "cursors-restart", text: expect.stringContaining(`cursors of ${name} only work`) },
    { code: "previous-unread", text: expect.stringContaining("(it is damaged)") },
  ]);
});

it("keeps an item without a value of the filter, and lists it with none", async () => {
  const operation = edgeNetwork.lists.find(({ paged, filters }) => paged && filters.length > 0);
  const target = operation && edgeNetwork.lists.find(({ name }) => operation.references[0]?.to === name);
  const [filter] = operation?.filters ?? [];
  if (operation === undefined || filter === undefined || target === undefined) throw new Error("There is no filter.");
  const { name } = operation;
  const { field = "" } = filter;
  const present = String(operation.example[field]);
  const item = (key: string, value: string | null) => ({ ...operation.example, [operation.key]: key, [field]: value });
  const contentOf = (...keys: readonly string[]) => {
    const items = [item("a1", present), ...keys.map((key) => item(key, null))];
    const targets = [present, "null"].map((key) => ({ ...target.example, [target.key]: key }));
    const catalog = {
      api: edgeNetwork,
      items: catalogItems({ [name]: items, [target.name]: targets }),
      deployments: new Map(),
      settings: { ...noSettings, cursorLifetime: 900, pageSizes: new Map([[name, [1, 100]]]) },
    };
    return [catalog, { name: "edge", operations: [name], documents: new Map() }] as const;
  };
  const build = contentOf("b2", "c3");
  const [catalog, deployment] = build;
  const counts = [...listings(catalog, deployment)].map(({ filters: [by], items }) => `${by?.value} ${items.count}`);
  expect(counts.sort()).toEqual([`${present} 1`, "null 0", "undefined 3"].sort());
  const { state } = await historyAfter(...build, noBuild, { now });
  const next = await historyAfter(...contentOf("c3"), state, { now });
  const { earlier, warnings } = listed(next, deployment);
  expect(warnings).toEqual([]);
  const [collection] = earlier.flatMap((states) => states.get(name) ?? []);
  const values = collection?.values.get(filter.param) ?? noValues;
  expect(collection?.orderKeys.map((_, index) => valuesAt(values, index)).sort()).toEqual([[], [], [present]]);
});

it("starts the lifetime of the build that is served with the build that finds it there", async () => {
  const published = await serve(files(await stateOf(before)));
  const at = now + 1_200;
  const { documents } = await recalled(published, { now: at });
  const left = JSON.parse(String(bytesIn({ documents })));
  expect(left.earlier).toMatchObject([{ superseded: at }]);
});
