import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { declaredPage } from "../../build/documents/declared/pages.ts";
import { planSample, siteOf, temporaryFolder } from "../../test/documents/source.ts";
import { edgeNetwork, listOf } from "../../test/edge-network.ts";
import type { TestPlan } from "../../test/plan.ts";
import type { Change, Changes } from "../answers/answers.ts";
import type { Item } from "../model/key.ts";
import type { Operation } from "../model/operation.ts";
import { summaryOf } from "./summary.ts";
import { capacityText } from "./text.ts";

const { operations } = edgeNetwork;

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true }));

const write = (to: string, file: string, value: unknown) => writeFileSync(path.join(to, file), JSON.stringify(value));

/** The operations of the table that the page shows, whatever their names. */
const regions = listOf("EdgeRegion");
const nodes = listOf("EdgeNode");
const state = operations.find((each) => each.title === "EdgeStatus");
const region = regions;
const node = nodes;

const codeOf = (index: number): string =>
  `${[676, 26, 1].map((place) => String.fromCharCode(97 + (Math.floor(index / 10 / place) % 26))).join("")}${index % 10}`;

interface Content {
  readonly regions: readonly Partial<Item>[];
  readonly nodes?: readonly Partial<Item>[];
  readonly status?: Partial<Item>;
  readonly operations?: readonly (Operation | undefined)[];
}

let count = 0;

/** Plans a build of a network. Each region gets a unique code, each node an id. */
function plan(content: Content): Promise<TestPlan> {
  const place = path.join(folder, String(count++));
  const served = content.operations ?? [regions, nodes, state];
  return planSample(place, { count: 3, pageSizes: "every" }, (to) => {
    for (const { name } of edgeNetwork.lists) write(to, `${name}.json`, []);
    write(to, "api.yaml", {});
    const own = content.regions.map((each, index) => ({ ...region.example, code: codeOf(index), ...each }));
    write(to, `${regions.name}.json`, own);
    const machines = (content.nodes ?? []).map((each, index) => ({
      ...node.example,
      id: `nod_${index}`,
      pop: codeOf(0),
      ...each,
    }));
    write(to, `${nodes.name}.json`, machines);
    write(to, "deployments/edge.json", {
      operations: served.map((each) => each?.name),
      ...(state === undefined ? {} : { [state.name]: { ...state.example, ...content.status } }),
    });
  });
}

function pageIn(built: TestPlan, changes?: Changes): string | undefined {
  const site = siteOf(built, { changes });
  const [page] = site.declaredPages;
  return page && Buffer.concat([...declaredPage(site, page).parts()]).toString();
}

const pageOf = (built: TestPlan): string => pageIn(built) ?? "";

const page = async (content: Content): Promise<string> => pageOf(await plan(content));

async function withoutStatus(content: Content): Promise<string> {
  const built = await plan(content);
  const documents = new Map(built.deployment.documents);
  documents.delete(state?.name ?? "");
  return pageIn({ ...built, deployment: { ...built.deployment, documents } }) ?? "";
}

const attributes = (text: string, name: string): readonly string[] =>
  [...text.matchAll(new RegExp(`\\s${name}="?([^"\\s>]*)`, "g"))].map(([, value = ""]) => value);

describe.runIf(regions && nodes && state)("the network page", () => {
  it("sums up the state in a line, and names the regions that are not good", async () => {
    const text = await page({
      regions: [{}, { name: "Rome", status: "outage" }, { name: "Bern", status: "maintenance" }, {}],
      nodes: [{ status: "draining" }, {}, {}],
    });
    expect(text).toContain('<h1><span class="state down">Operational, with 1 region with an outage: Rome</span>');
    expect(text).toContain(
      "<p>1 of 4 regions with an outage, 1 in maintenance. 1 of 3 nodes draining. Reported from London. Updated <time",
    );
    expect(text).toContain('<a href="#aaa1"><bdi>Rome</bdi></a> outage');
    expect(text.indexOf("Rome")).toBeLessThan(text.indexOf("Bern"));
  });

  it("says the worst of what it shows, and reports nothing planned as a problem", async () => {
    expect(await page({ regions: [{}] })).toContain("All systems operational");
    const component = { name: "Cache", status: "degraded" };
    const texts = [
      await page({ regions: [{}], status: { components: [component] } }),
      await page({ regions: [{}], status: { status: "outage" } }),
      await page({ regions: [{ status: "degraded" }, { status: "outage" }], status: { status: "ready" } }),
      await page({ regions: [{ status: "kaputt" }] }),
      await page({ regions: [{ status: "maintenance" }], status: { status: "maintenance" } }),
      await withoutStatus({ regions: [{ status: "outage" }] }),
      await withoutStatus({ regions: Array.from({ length: 4 }, () => ({ status: "outage" })) }),
      await withoutStatus({ regions: [{ status: "provisioning" }] }),
    ];
    expect(texts.map((text) => /<h1><span class="state (\w+)">(.*?)<\/span>/.exec(text)?.slice(1))).toEqual([
      ["warn", "Operational, with 1 degraded component: Cache"],
      ["down", "Service status: outage"],
      ["down", "Ready, with 1 region with an outage: London"],
      ["good", "All systems operational"],
      ["other", "Service status: maintenance"],
      ["down", "1 region with an outage: London"],
      ["down", "4 regions with an outage"],
      ["good", "No problems reported"],
    ]);
    const [contrary = ""] = texts;
    expect(contrary).toContain("<p>1 of 1 component degraded. Reported from London. Updated <time");
  });

  it("says of which region or node a state changed, when, from what to what, the newest first", async () => {
    const built = await plan({ regions: [{ name: "Rome" }], nodes: [{}] });
    const ofField = (key: string, field: string, values: readonly [unknown, unknown]) => ({
      added: [],
      changed: [key],
      removed: [],
      fields: { [key]: { [field]: values } },
    });
    const changes = (...data: readonly Change["collections"][]): Changes => ({
      object: "changes",
      since: "2026-01-01T00:00:00Z",
      build: "a",
      data: data.map((collections, index) => ({
        at: `2026-01-0${9 - index}T06:28:00Z`,
        build: `b${index}`,
        collections,
        documents: [],
      })),
    });
    const text = pageIn(
      built,
      changes(
        {
          [nodes.name]: ofField("nod_0", "status", ["operational", "partial_outage"]),
          [regions.name]: ofField("aaa0", "status", ["degraded", "operational"]),
        },
        { [nodes.name]: ofField("nod_0", "capacity", ["40G", "100G"]) },
        { [regions.name]: ofField("zzz9", "status", ["operational", "degraded"]) },
      ),
    );
    const [, rows = ""] = /aria-label="Changes of status">.*?<tbody>\n(.*?)<\/table>/s.exec(text ?? "") ?? [];
    const when = (day: number) => `<td><time datetime="2026-01-0${day}T06:28:00Z">2026-01-0${day} 06:28 UTC</time>`;
    expect(rows.trim().split("\n")).toEqual([
      `<tr><th scope=row><a dir=auto href="#aaa0">Rome</a> <code>aaa0</code><td class=warn>degraded<td class=good>operational${when(9)}`,
      `<tr><th scope=row><a href="/api/v1/docs/data/${nodes.name}#row-nod_0">nod_0</a><td class=good>operational<td class=other>partial outage${when(9)}`,
      `<tr><th scope=row><code>zzz9</code><td class=good>operational<td class=warn>degraded${when(7)}`,
    ]);
    expect(pageIn(built, changes({ [nodes.name]: ofField("nod_0", "capacity", ["40G", "100G"]) }))).not.toContain(
      "Changes of status",
    );
  });

  it("has the nodes and the capacity of each region, and leads to their JSON and to the tables", async () => {
    const text = await page({
      regions: [{ country: "FR" }, { country: "FR" }, { country: "JP" }],
      nodes: [
        { capacity: "900G" },
        { capacity: "100G", status: "offline" },
        { pop: codeOf(1), capacity: "999999G" },
        { pop: codeOf(1), capacity: `${"9".repeat(400)}G` },
      ],
    });
    expect(text).toContain('<td class=good>operational<td><span class="about">1 offline of</span> 2<td>1 Tbit/s');
    expect(text).toMatch(/<tr id=aaa2>.*<code>aaa2<\/code>.*<td>0<td>–/);
    expect(text).toContain(`<a dir=auto href="/api/v1/${nodes.name}?region=aaa0">London</a> <code>aaa0</code>`);
    expect(text).toContain('<dt>Nodes</dt><dd><a href="/api/v1/docs/data/nodes">4</a></dd>');
    expect(text).not.toMatch(/NaN|Infinity|undefined/);
  });

  it("lists the nodes that are not good, the worst first, at most fifty of a severity", async () => {
    const text = await page({
      regions: [{}, {}],
      nodes: [
        {},
        { status: "draining", capacity: "40G", pop: codeOf(1) },
        ...Array.from({ length: 60 }, () => ({ status: "offline" })),
      ],
    });
    const [, section = ""] = text.split('<table class="nodes"');
    const row =
      /<th scope=row><a href="\/api\/v1\/docs\/data\/nodes#row-\w+">(\w+)<\/a><td><a dir=auto href="#\w+">\w+<\/a> <code>(\w+)<\/code><td class=(\w+)>/g;
    const rows = [...section.matchAll(row)].map((found) => found.slice(1));
    expect(rows.length).toBe(51);
    expect(rows[0]).toEqual(["nod_10", "aaa0", "down"]);
    expect(rows.at(-1)).toEqual(["nod_1", "aaa1", "warn"]);
    expect(section).toContain("<td class=warn>draining<td>40 Gbit/s\n");
    expect(await page({ regions: [{}], nodes: [{}] })).not.toContain('<table class="nodes"');
  });

  it("shows a circle for each country, which names its regions, shows their states and is a link", async () => {
    const text = await page({
      regions: [
        { country: "US", name: "Reno" },
        { country: "US", name: "Ames", status: "outage" },
        { country: "FR", name: "Lyon" },
      ],
      nodes: [{ capacity: "100G" }],
    });
    const [, wide = "", narrow = ""] = text.split(/<g class="(?:wide|narrow)"/);
    expect(wide).toMatch(
      /<a href="#zone-europe-west" aria-labelledby="about-US"><title id="about-US">United States \(US\): 2 regions, 1 outage, 1 operational \(Ames outage, Reno\); 1 node, .*<\/title><circle class="disc down".*<circle class="arc down".*<circle class="arc good"/,
    );
    expect(wide).toContain(
      '<a href="#aaa2" aria-labelledby="about-FR"><title id="about-FR">France (FR): 1 region, operational (Lyon)',
    );
    expect(narrow).toMatch(/<a href="#zone-europe-west" aria-labelledby="about-US"><circle class="disc down"/);
    expect(narrow).toMatch(/<text class="down"[^>]*>US<\/text>/);
  });

  it("points from circles that were moved to their places", async () => {
    const shown = async (countries: readonly string[]) => {
      const text = await page({ regions: countries.map((country) => ({ country })) });
      return [/class="pointer" d="(M[^"]*L)/, /class="home" d="(M[^"]*h0)/].map((path) => path.test(text));
    };
    expect(await shown(["US", "AU"])).toEqual([false, false]);
    expect(await shown(["BE", "NL", "LU", "DE", "FR"])).toEqual([true, true]);
  });

  it("orders zones and regions by severity", async () => {
    const text = await page({
      regions: [
        { zone: "a-zone" },
        { zone: "b-zone" },
        { zone: "b-zone", status: "degraded" },
        { zone: "c-zone", status: "outage" },
      ],
    });
    const order = attributes(text, "id").filter((id) => /^(?:zone-|aaa)/.test(id));
    expect(order).toEqual(["zone-c-zone", "aaa3", "zone-b-zone", "aaa2", "aaa1", "zone-a-zone", "aaa0"]);
  });

  it("links only to existing anchors and pages", async () => {
    const text = await page({ regions: ["GB", "XK", "ZZ", "SG", "GB"].map((country) => ({ country })) });
    const ids = attributes(text, "id");
    expect(ids.length).toBe(new Set(ids).size);
    const anchors = attributes(text, "href").filter((each) => each.startsWith("#"));
    expect(anchors.filter((anchor) => !ids.includes(anchor.slice(1)))).toEqual([]);
    expect(text).toContain('Not on the map: <a href="#aaa2">ZZ</a>');
    expect(text).toContain("Kosovo");
  });

  it("shows names as text", async () => {
    const text = await page({ regions: [{ name: "<script>alert(1)</script>" }, { name: "دبي" }] });
    expect(text).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(text).toContain("<bdi>دبي</bdi>");
    expect(text).not.toMatch(/<script(?! type="module" src="\/api\/v1\/docs\/page\.js"><\/script>\n)|<style|\sstyle=/);
  });

  it("shows no map if a deployment has only nodes, and no nodes if it has only regions", async () => {
    const content = { regions: [{ name: "Secret" }], nodes: [{}] };
    const withNodes = await page({ ...content, operations: [nodes, state] });
    expect(withNodes).toContain("<dt>Capacity</dt>");
    expect(withNodes).not.toMatch(/<svg|<table|Secret/);
    const withRegions = await page({ ...content, operations: [regions, state] });
    expect(withRegions).toContain("<svg");
    expect(withRegions).not.toMatch(/<dt>Nodes|Gbit/);
  });

  it("is left out of a deployment without its data", async () => {
    const built = await plan({ regions: [{}] });
    const shown = [regions, nodes, state].map((each) => each?.name);
    const operations = built.deployment.operations.filter((name) => !shown.includes(name));
    const deployment = { ...built.deployment, operations, documents: new Map() };
    expect(pageIn({ ...built, deployment })).toBe(undefined);
  });

  it("folds good zones of a large network, and stays below 300 kB with 1,400 regions", async () => {
    const countries = ["US", "BR", "GB", "DE", "FR", "JP", "AU", "ZA", "IN", "XK"];
    const many = Array.from({ length: 1400 }, (_, index) => ({
      name: `Some city ${index}`,
      zone: `area-${"abcdefghij"[index % 10]}`,
      country: countries[index % 7],
      status: index % 50 === 0 ? "degraded" : "operational",
    }));
    const machines = Array.from({ length: 3000 }, (_, index) => ({
      pop: codeOf(index % 1400),
      capacity: `${index + 1}G`,
    }));
    const text = await page({ regions: many, nodes: machines });
    expect(text.length).toBeLessThan(300_000);
    expect(text.match(/<details/g)?.length).toBe(9);
    expect(text).not.toContain('id="nodes');
    expect(text).toContain(`?region=${codeOf(0)}">Some city 0</a> <code>${codeOf(0)}</code>`);
    expect(attributes(text, "id").filter((id) => /^[a-z]{3}\d$/.test(id)).length).toBe(1400);
    expect(text).toContain("28 degraded");
  });
});

describe("words of the network page", () => {
  it.each([
    [0, "0 Gbit/s"],
    [999, "999 Gbit/s"],
    [1234, "1.23 Tbit/s"],
    [999_999, "1 Pbit/s"],
    [1_500_000_000, "1.5 Ebit/s"],
  ])("%d is %s", (capacity, text) => expect(capacityText(capacity)).toBe(text));

  it("has no problem to report if there is no status", () => {
    const nothing = { status: undefined, regions: undefined, nodesIn: undefined, troubled: [] };
    const load = { nodes: 0, capacity: 0, states: new Map() };
    expect(summaryOf({ ...nothing, load })).toEqual({ tone: "good", headline: "No problems reported", details: [] });
  });
});
