import { describe, expect, it } from "vitest";
import { everyPageSize } from "../../src/paging.ts";
import { discovered, faultsOf, type Tree } from "../../test/content/folder.ts";
import { edgeNetwork } from "../../test/edge-network.ts";
import { compileContent } from "./content.ts";

const settingsOf = (tree: Tree) => {
  const [{ settings }, diagnostics] = compileContent(discovered(tree), edgeNetwork);
  expect(diagnostics).toEqual([]);
  const { pageSizes, paging } = settings;
  return { ...settings, pageSizes: Object.fromEntries(pageSizes), paging: Object.fromEntries(paging) };
};

const paged = edgeNetwork.lists.filter((operation) => operation.paged).map(({ name }) => name);

const eachOf = <Choice>(choice: Choice) => Object.fromEntries(paged.map((name) => [name, choice]));

const status = "{status: ready, region: a, components: [], updated_at: 2026-01-01T00:00:00Z}";
const deployment = `operations: []\nstatus: ${status}\n`;
const region = "{code: lhr1, name: A, zone: a-b, country: GB, status: ready}";

const faultsIn = (text: string, tree: Tree = {}) =>
  faultsOf({ ...tree, "api.yaml": text }).map((line) => line.replace(/^api\.yaml:/, ""));

describe("settings", () => {
  it("have defaults, and so has their file", () => {
    const defaults = {
      title: undefined,
      description: undefined,
      url: undefined,
      license: undefined,
      contact: undefined,
      vocabulary: {},
      cursorLifetime: 900,
      changes: 2_592_000,
      frontPage: true,
      defaultDeployment: "edge",
      pageSizes: eachOf(everyPageSize),
      paging: eachOf("exact"),
    };
    expect(settingsOf({})).toEqual(defaults);
    expect(settingsOf({ "api.json": "{}" })).toEqual(defaults);
  });

  it("are read from one line of NDJSON too", () => {
    expect(settingsOf({ "api.ndjson": '{"title":"Edge"}\n' }).title).toBe("Edge");
  });

  it("have the origin of the address at which the API is published", () => {
    expect(settingsOf({ "api.yaml": "url: https://API.example.org:8443/" }).url).toBe("https://api.example.org:8443");
  });

  it.each([
    ["30m", 1_800],
    ["1h", 3_600],
    ["7d", 604_800],
    ["0", 0],
    ['"0"', 0],
  ])("have a cursor_lifetime of %s", (text, seconds) => {
    expect(settingsOf({ "api.yaml": `cursor_lifetime: ${text}\n` }).cursorLifetime).toBe(seconds);
  });

  it.each(["15", "1.5h", "-1m", "15 m", "00m", "1w", "PT15M", "true"])("have no cursor_lifetime of %s", (text) => {
    expect(faultsOf({ "api.yaml": `cursor_lifetime: ${text}\n` })).toEqual([
      expect.stringContaining("must be a time such as 30m, 1h or 7d, or 0"),
    ]);
  });

  it("may keep the reference from the root of the host", () => {
    expect(settingsOf({ "api.yaml": "front_page: false\n" }).frontPage).toBe(false);
  });

  it("name the default deployment", () => {
    const tree = { "api.yaml": "default_deployment: media", "deployments/media.yaml": deployment };
    expect(settingsOf(tree).defaultDeployment).toBe("media");
  });

  const some = [1, 5, 100];

  it.each([
    ["every", eachOf(everyPageSize)],
    ["[5, 1, 5]", eachOf(some)],
    ["{nodes: [5, 1], images: every}", { ...eachOf(everyPageSize), nodes: some }],
    ["{}", eachOf(everyPageSize)],
  ])("give the page sizes of each operation: %s", (written, sizes) => {
    expect(settingsOf({ "api.yaml": `page_sizes: ${written}` }).pageSizes).toEqual(sizes);
  });

  const [one = ""] = paged;

  it.each([
    ["stable", eachOf("stable")],
    ["exact", eachOf("exact")],
    [`{${one}: stable}`, { ...eachOf("exact"), [one]: "stable" }],
    ["{}", eachOf("exact")],
  ])("say how the listings of each operation are cut: %s", (written, kinds) => {
    expect(settingsOf({ "api.yaml": `paging: ${written}` }).paging).toEqual(kinds);
  });

  it.each([
    [
      "Stable",
      `1:9 wrong-value paging must be exact or stable, or one of these for each of ${paged.join(", ")}, but is "Stable". Did you mean "stable"?`,
    ],
    ["{nope: stable}", `1:10 unknown-field paging has no field "nope". Its fields are ${paged.join(", ")}.`],
    [`{${one}: 5}`, `1:${12 + one.length} wrong-type paging.${one} must be exact or stable, but is the number 5.`],
  ])("refuse paging such as %s", (written, report) => {
    expect(faultsIn(`paging: ${written}`)).toEqual([report]);
  });

  const choice = '"every" or a list of page sizes from 1 to 100';

  it.each([
    ["[]", "1:13 wrong-value page_sizes must be a list of at least one page size, but is an empty list."],
    ["[0]", "1:14 wrong-value page_sizes[0] must be an integer from 1 to 100, but is the number 0."],
    ["[1.5]", "1:14 wrong-value page_sizes[0] must be an integer from 1 to 100, but is the number 1.5."],
    ["[101]", "1:14 wrong-value page_sizes[0] must be an integer from 1 to 100, but is the number 101."],
    ['["5"]', '1:14 wrong-type page_sizes[0] must be an integer from 1 to 100, but is "5". Leave the quotes out: 5.'],
    [
      "Every",
      `1:13 wrong-value page_sizes must be ${choice}, or one of these for each of ${paged.join(", ")}, but is "Every". Did you mean "every"?`,
    ],
    [
      "5",
      `1:13 wrong-type page_sizes must be ${choice}, or one of these for each of ${paged.join(", ")}, but is the number 5.`,
    ],
    ["{node: every}", '1:14 unknown-field page_sizes has no field "node". Did you mean "nodes"?'],
    ["{regions: every}", `1:14 unknown-field page_sizes has no field "regions". Its fields are ${paged.join(", ")}.`],
    ["{nodes: 5}", `1:21 wrong-type page_sizes.nodes must be ${choice}, but is the number 5.`],
    [
      "{nodes: []}",
      "1:21 wrong-value page_sizes.nodes must be a list of at least one page size, but is an empty list.",
    ],
    ["{nodes: [x]}", '1:22 wrong-type page_sizes.nodes[0] must be an integer from 1 to 100, but is "x".'],
  ])("refuse page sizes such as %s", (written, report) => {
    expect(faultsIn(`page_sizes: ${written}`)).toEqual([report]);
  });

  it("close the sets of words that they list", () => {
    const tree = {
      "api.yaml": "vocabulary: {region_status: [operational, planned], zone: [a-c]}",
      "regions.yaml": region,
    };
    expect(faultsOf(tree)).toEqual([
      'regions.yaml:1:29 wrong-value zone must be one of the zone words of api.yaml: a-c, but is "a-b". Did you mean "a-c"?',
      'regions.yaml:1:55 wrong-value status must be one of the region_status words of api.yaml: operational, planned, but is "ready". Add it to api.yaml, or write one of these.',
    ]);
  });

  it("allow words that no form would", () => {
    const tree = {
      "api.yaml": 'vocabulary: {region_status: ["Ready, mostly"]}',
      "regions.yaml": region.replace("ready", '"Ready, mostly"'),
    };
    expect(faultsOf(tree)).toEqual([]);
  });

  it.each([
    [
      "{region_status: operational}",
      '1:29 wrong-type vocabulary.region_status must be a list of words, but is "operational".',
    ],
    [
      "{region_status: []}",
      "1:29 wrong-value vocabulary.region_status must be a list of at least one word, but is an empty list.",
    ],
    [
      "{region_status: [ready, 5]}",
      '1:37 wrong-type vocabulary.region_status[1] must be one line of text, not empty, without blanks at its ends, but is the number 5. Put it in quotes: "5".',
    ],
    [
      "{region_state: [ready]}",
      '1:14 unknown-field vocabulary has no field "region_state". Did you mean "region_status"?',
    ],
    ["[ready]", "1:13 wrong-type vocabulary must be an object with lists of words, but is a list."],
  ])("refuse the vocabulary %s, and nothing else for its sake", (written, report) => {
    expect(faultsIn(`vocabulary: ${written}`, { "regions.yaml": region })).toEqual([report]);
  });

  it("check content against the readable parts of faulty ones", () => {
    const api = "titel: A\nvocabulary:\n  region_status: [Planned!, 5, '']\n  zone: Europe\ndefault_deployment: egde\n";
    const faults = faultsIn(api, { "regions.yaml": region, "deployments/edge.yaml": deployment });
    expect(faults).toEqual([
      '1:1 unknown-field api.yaml has no key "titel". Did you mean "title"?',
      '3:29 wrong-type vocabulary.region_status[1] must be one line of text, not empty, without blanks at its ends, but is the number 5. Put it in quotes: "5".',
      '3:32 wrong-value vocabulary.region_status[2] must be one line of text, not empty, without blanks at its ends, but is "".',
      '4:9 wrong-type vocabulary.zone must be a list of words, but is "Europe".',
      '5:21 no-such-deployment There is no deployment "egde". Did you mean "edge"?',
      'regions.yaml:1:55 wrong-value status must be one of the region_status words of api.yaml: Planned!, , but is "ready". Add it to api.yaml, or write one of these.',
    ]);
  });

  it.each([
    [
      "[]",
      "1:1 not-one This file must hold a single object with settings, but holds an empty list. Keep one, without a list around it.",
    ],
    [
      "[{title: A}]",
      "1:1 not-one This file must hold a single object with settings, but holds a list. Keep one, without a list around it.",
    ],
    [
      "Edge",
      '1:1 wrong-type api.yaml must be an object with title, description, url, license, contact, default_deployment, hosts, page_sizes, paging, cursor_lifetime, changes, front_page, vocabulary, additional_countries, client, changelog, attribution, logo, accent, but is "Edge".',
    ],
    [
      "url: https://example.org/api",
      '1:6 wrong-value url must be the http or https address of a host without a path, such as https://api.example.com, but is "https://example.org/api".',
    ],
    [
      "url: http://[",
      '1:6 wrong-value url must be the http or https address of a host without a path, such as https://api.example.com, but is "http://[".',
    ],
    ["", "1:1 empty-file The file is empty. Remove it, or write its items into it; [] means none."],
    ['title: ""', '1:8 wrong-value title must be one line of text, not empty, without blanks at its ends, but is "".'],
    ['description: "\\ud800"', '1:14 wrong-value description must be a text of whole characters, but is "\\ud800".'],
    [
      "default_deployment: edge",
      '1:21 no-such-deployment There is no deployment "edge". Add it to deployments/, or name another.',
    ],
  ])("are no %j", (text, report) => {
    expect(faultsIn(text)).toEqual([report]);
  });

  it("are in one file", () => {
    expect(faultsOf({ "api.json": "{}", "api.yaml": "{}", "api.yml": "{}" })).toEqual([
      "api.yaml:1:1 unknown-file The settings are in api.json already. Keep one of the two files.",
      "api.yml:1:1 unknown-file The settings are in api.json already. Keep one of the two files.",
    ]);
  });

  it.each(["deployments", "deployments/edge.yaml"])(
    "do not miss a deployment that may be behind the broken link %s",
    (file) => {
      const faults = faultsOf({ "api.yaml": "default_deployment: edge" }, [{ file, code: "link" }]);
      expect(faults).toHaveLength(1);
    },
  );
});
