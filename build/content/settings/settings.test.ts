import { describe, expect, it } from "vitest";
import * as z from "zod";
import { defineApi, defineCollection } from "../../../src/declare/declare.ts";
import { country, label, slug } from "../../../src/declare/forms.ts";
import { words } from "../../../src/declare/marks.ts";
import { everyPageSize } from "../../../src/model/paging.ts";
import { discovered, faultsOf, type Tree } from "../../../test/content/folder.ts";
import { edgeNetwork } from "../../../test/edge-network.ts";
import { compiled } from "../../../test/plan.ts";
import { completeApi } from "../../declaration/complete.ts";

const settingsOf = (tree: Tree) => {
  const { settings } = compiled(discovered(tree), edgeNetwork);
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

const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8z"/></svg>';
/** One pixel. */
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

describe("settings", () => {
  it("have defaults, and so has their file", () => {
    const defaults = {
      title: undefined,
      description: undefined,
      url: undefined,
      mount: "",
      license: undefined,
      contact: undefined,
      origins: "any",
      vocabulary: {},
      cursorLifetime: 900,
      changesLifetime: 2_592_000,
      changesFields: {},
      frontPage: true,
      defaultDeployment: "edge",
      pageSizes: eachOf(everyPageSize),
      paging: eachOf("exact"),
      placeOf: expect.any(Function),
    };
    expect(settingsOf({})).toEqual(defaults);
    expect(settingsOf({ "api.json": "{}" })).toEqual(defaults);
  });

  it("have the place where each is written, and their file", () => {
    const start = { file: "api.json", line: 1, column: 1, endLine: 1, endColumn: 1 };
    const { placeOf } = settingsOf({ "api.json": '{\n  "title": "Things" }' });
    expect(placeOf("title")).toEqual({ ...start, line: 2, column: 12, endLine: 2, endColumn: 20 });
    expect([placeOf("hosts"), placeOf("toString")]).toEqual([undefined, undefined]);
    expect(placeOf()).toEqual(start);
    expect(settingsOf({}).placeOf()).toBeUndefined();
  });

  it("have the origin of the address at which the API is published", () => {
    expect(settingsOf({ "api.yaml": "url: https://API.example.org:8443/" }).url).toBe("https://api.example.org:8443");
    const below = { url: "https://example.org", mount: "/My-api/v.2" };
    expect(settingsOf({ "api.yaml": "url: https://example.org/My-api/v.2/" })).toMatchObject(below);
    expect(settingsOf({ "api.yaml": "url: https://example.org\nmount: /My-api/v.2" })).toMatchObject(below);
  });

  it.each([
    ["30m", 1_800],
    ["1h", 3_600],
    ["7d", 604_800],
    ["0", 0],
  ])("have a cursor_lifetime of %s", (text, seconds) => {
    expect(settingsOf({ "api.yaml": `cursor_lifetime: ${text}\n` }).cursorLifetime).toBe(seconds);
  });

  it.each(["15", "1.5h", "00m", "PT15M"])("have no cursor_lifetime of %s", (text) => {
    expect(faultsOf({ "api.yaml": `cursor_lifetime: ${text}\n` })).toEqual([
      expect.stringContaining("must be a time such as 30m, 1h or 7d, or 0"),
    ]);
  });

  const header =
    "access.scheme.header must be a header of letters, digits and hyphens that neither browsers nor the program set, such as X-API-Key, but is";
  const origin =
    "origins must be any, none, or an origin in lowercase without a path or a slash at its end, such as https://one.example, but is";
  const scheme = "access.scheme must be basic, bearer, { header: NAME } or { cookie: NAME }, but";

  it.each([
    ["access: { description: Ask., scheme: digest }", `1:38 wrong-value ${scheme} is "digest".`],
    [
      "access: { description: Ask., scheme: { header: A, cookie: b } }",
      `1:38 wrong-value ${scheme} has header and cookie.`,
    ],
    ["access: { description: Ask., scheme: { header: X Key } }", `1:48 wrong-value ${header} "X Key".`],
    ["access: { description: Ask., scheme: { header: accept } }", `1:48 wrong-value ${header} "accept".`],
    ["access: { description: Ask., scheme: { header: Sec-Key } }", `1:48 wrong-value ${header} "Sec-Key".`],
    ["access: { description: Ask., scheme: { header: __proto__ } }", `1:48 wrong-value ${header} "__proto__".`],
    [
      "access: { description: Ask., scheme: { cookie: a=b } }",
      '1:48 wrong-value access.scheme.cookie must be the name of a cookie, of letters, digits and . _ -, such as session, but is "a=b".',
    ],
    [
      "access: { description: Ask., scheme: basic, x: 1 }",
      '1:45 unknown-field access has no key "x". Its keys are description, scheme.',
    ],
    ["origins: https://one.example/", `1:10 wrong-value ${origin} "https://one.example/".`],
    ["origins: https://one.example/a", `1:10 wrong-value ${origin} "https://one.example/a".`],
    ["origins: https://*.example", `1:10 wrong-value ${origin} "https://*.example".`],
    ["origins: https://one.example:443", `1:10 wrong-value ${origin} "https://one.example:443".`],
    ["origins: null", `1:10 wrong-type ${origin} empty (null).`],
  ])("do not accept %s", (text, fault) => {
    expect(faultsIn(text)).toEqual([fault]);
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
  ])("give the page sizes of each operation: %s", (written, sizes) => {
    expect(settingsOf({ "api.yaml": `page_sizes: ${written}` }).pageSizes).toEqual(sizes);
  });

  const [one = ""] = paged;

  it.each([
    ["stable", eachOf("stable")],
    [`{${one}: stable}`, { ...eachOf("exact"), [one]: "stable" }],
  ])("say how the listings of each operation are cut: %s", (written, kinds) => {
    expect(settingsOf({ "api.yaml": `paging: ${written}` }).paging).toEqual(kinds);
  });

  it.each([
    [
      "Stable",
      `1:9 wrong-value paging must be exact or stable, or one of these for each of ${paged.join(", ")}, but is "Stable". Did you mean "stable"?`,
    ],
    ["{nope: stable}", `1:10 unknown-field paging has no key "nope". Its keys are ${paged.join(", ")}.`],
    [`{${one}: 5}`, `1:${12 + one.length} wrong-type paging.${one} must be exact or stable, but is the number 5.`],
  ])("refuse paging such as %s", (written, report) => {
    expect(faultsIn(`paging: ${written}`)).toEqual([report]);
  });

  it.each([
    ["false", false],
    ["{nodes: [status, capacity], records: false}", { nodes: ["status", "capacity"], records: false }],
  ])("say which fields the list of changes tells: %s", (written, fields) => {
    expect(settingsOf({ "api.yaml": `changes_fields: ${written}` })).toMatchObject({ changesFields: fields });
  });

  it.each([
    ["{node: [status]}", '1:18 unknown-field changes_fields has no key "node". Did you mean "nodes"?'],
    [
      "{nodes: [stats]}",
      '1:26 wrong-value changes_fields.nodes[0] must be one of id, created_at, pop, status or capacity, but is "stats". Did you mean "status"?',
    ],
    [
      "{nodes: status}",
      '1:25 wrong-type changes_fields.nodes must be a list of fields of nodes, or false, but is "status".',
    ],
    [
      "true",
      "1:17 wrong-value changes_fields must be false, or an object with a list of fields, or false, for collections, but is the boolean true.",
    ],
  ])("refuse fields of changes such as %s", (written, report) => {
    expect(faultsIn(`changes_fields: ${written}`)).toEqual([report]);
  });

  const choice = '"every" or a list of page sizes from 1 to 100';

  it.each([
    ["[]", "1:13 wrong-value page_sizes must be a list of at least one page size, but is an empty list."],
    ["[0]", "1:14 wrong-value page_sizes[0] must be an integer from 1 to 100, but is the number 0."],
    ['["5"]', '1:14 wrong-type page_sizes[0] must be an integer from 1 to 100, but is "5". Leave the quotes out: 5.'],
    [
      "5",
      `1:13 wrong-type page_sizes must be ${choice}, or one of these for each of ${paged.join(", ")}, but is the number 5.`,
    ],
    ["{regions: every}", `1:14 unknown-field page_sizes has no key "regions". Its keys are ${paged.join(", ")}.`],
    ["{nodes: 5}", `1:21 wrong-type page_sizes.nodes must be ${choice}, but is the number 5.`],
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
      '1:37 wrong-type vocabulary.region_status[1] must be one line of text, not empty, without spaces at its ends, but is the number 5. Put it in quotes: "5".',
    ],
    [
      "{region_state: [ready]}",
      '1:14 unknown-field vocabulary has no key "region_state". Did you mean "region_status"?',
    ],
  ])("refuse the vocabulary %s, and nothing else for its sake", (written, report) => {
    expect(faultsIn(`vocabulary: ${written}`, { "regions.yaml": region })).toEqual([report]);
  });

  const things = completeApi(
    defineApi({
      collections: {
        things: defineCollection({
          purpose: "Things.",
          schema: z.strictObject({
            id: slug,
            kind: words("kinds"),
            free: words("free"),
            names: z.record(words("names"), label),
          }),
          key: "id",
          filters: { kind: "kind" },
        }),
      },
    }),
  );

  const part = "a part of paths: at most 100 of the characters A-Z a-z 0-9 . _ -, and no dot at the start";

  it.each([
    ["a/b", part],
    ["../../x", part],
    ["not on", part],
    ["a~b", "a part of paths without ~, which many programs send as %7E"],
    ["on.json", "a part of paths without the ending .json, .json.br or .json.gz"],
    ["ON", "another word: case makes no difference in paths"],
  ])("refuse a word by which a filter would list items at a wrong path: %s", (word, expected) => {
    const list = (name: string) => `vocabulary: {${name}: [on, ${JSON.stringify(word)}]}`;
    expect(faultsOf({ "api.yaml": list("kinds") }, {}, undefined, things)).toEqual([
      `api.yaml:1:26 wrong-value vocabulary.kinds[1] must be ${expected}, but is ${JSON.stringify(word)}.`,
    ]);
    expect(faultsOf({ "api.yaml": list("free") }, {}, undefined, things)).toEqual([]);
  });

  it("list the words of the keys of a record", () => {
    const item = "id: a\nkind: b\nfree: c\nnames: {fr: A, de: B}\n";
    const tree = { "api.yaml": "vocabulary: {names: [de, en]}", "things.yaml": item };
    expect(faultsOf(tree, {}, undefined, things)).toEqual([
      'things.yaml:4:9 unknown-field names has no field "fr". Its fields are de, en.',
    ]);
  });

  it("refuse a word of another type once", () => {
    expect(faultsOf({ "api.yaml": "vocabulary: {kinds: [on, 5, a/b]}" }, {}, undefined, things)).toEqual([
      expect.stringContaining("api.yaml:1:26 wrong-type vocabulary.kinds[1] must be one line of text"),
    ]);
  });

  it("check content against the valid fields of faulty ones", () => {
    const api = "titel: A\nvocabulary: {region_status: [planned]}\ndefault_deployment: egde\nurl: no\n";
    const faults = faultsIn(api, { "regions.yaml": region, "deployments/edge.yaml": deployment });
    expect(faults.map((line) => line.split(" ").slice(0, 2).join(" "))).toEqual([
      "1:1 unknown-field",
      "3:21 no-such-name",
      "4:6 wrong-value",
      "regions.yaml:1:55 wrong-value",
    ]);
  });

  it.each<[string, Tree, string, object]>([
    [
      "are unreadable",
      { "api.yaml": "vocabulary: {state: [On, Off]}\n}" },
      "api.yaml:2:1 syntax",
      { state: "On", in: "XK" },
    ],
    [
      "have a faulty list of words",
      { "api.yaml": "vocabulary: {state: [On, 5]}" },
      "api.yaml:1:26 wrong-type",
      { state: "On", in: "GB" },
    ],
    [
      "have a faulty list of countries",
      { "api.yaml": "vocabulary: { country: [AT, xk] }" },
      "api.yaml:1:29 wrong-value",
      { state: "On", in: "XK" },
    ],
    [
      "have misspelt lists",
      { "api.yaml": "vocabulery: {state: [On, Off]}" },
      "api.yaml:1:1 unknown-field",
      { state: "On", in: "GB" },
    ],
    [
      "are in a misnamed file",
      { "apis.yaml": "vocabulary: {state: [On, Off]}" },
      "apis.yaml:1:1 unknown-file",
      { state: "On", in: "XK" },
    ],
  ])("refuse no word of an item that they may list if they %s", (_, tree, expected, item) => {
    const schema = z.strictObject({ id: slug, state: words("state"), in: country });
    const lamps = defineCollection({ purpose: "Lamps.", schema, key: "id" });
    const api = completeApi(defineApi({ collections: { lamps } }));
    const faults = faultsOf({ "lamps.json": JSON.stringify([{ id: "a", ...item }]), ...tree }, {}, undefined, api);
    expect(faults.map((line) => line.replace(/^(\S+ \S+) .*/, "$1"))).toEqual([expected]);
  });

  it("list countries like other words, and accept any code without a list", () => {
    const tree = { "regions.yaml": `- ${region.replace("GB", "XK")}\n` };
    expect(faultsOf(tree)).toEqual([]);
    expect(faultsOf({ ...tree, "api.yaml": "vocabulary: { country: [AT, XB] }" })).toEqual([
      'regions.yaml:1:45 wrong-value country must be one of the country words of api.yaml: AT, XB, but is "XK". Add it to api.yaml, or write one of these.',
    ]);
  });

  it("that are unreadable have no other fault", () => {
    expect(faultsIn("title: [\nlogo: logo.svg\n", { "logo.svg": svg })).toEqual([expect.stringContaining(" syntax ")]);
  });

  it.each([
    [
      "[{title: A}]",
      "1:1 not-one This file must hold a single object with settings, but holds a list. Keep one, without a list around it.",
    ],
    [
      "title: A\n---\ntitle: B\n",
      "3:1 not-one This file must hold a single object with settings, but holds several documents. Keep one.",
    ],
    ["Edge", '1:1 wrong-type api.yaml must be an object, but is "Edge".'],
    [
      "url: https://example.org/api?x",
      '1:6 wrong-value url must be an http or https address without a query, such as https://api.example.com, but is "https://example.org/api?x".',
    ],
    [
      "language: german",
      '1:11 wrong-value language must be the tag of a language, such as de, pt-BR or zh-Hant, but is "german".',
    ],
    ["", "1:1 empty-file The file is empty. Remove it, or write its fields into it."],
    ['title: ""', '1:8 wrong-value title must be one line of text, not empty, without spaces at its ends, but is "".'],
    ['description: "\\ud800"', '1:14 wrong-value description must be a string of whole characters, but is "\\ud800".'],
    [
      "default_deployment: edge",
      '1:21 no-such-name There is no deployment "edge". Add it to deployments/, or name another.',
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
      const faults = faultsOf({ "api.yaml": "default_deployment: edge" }, { [file]: "link" });
      expect(faults).toHaveLength(1);
    },
  );
});

describe("the introduction", () => {
  it("is a text, with the line ends of any system", () => {
    expect(settingsOf({ "introduction.md": "\ufeff# About\r\n\r\n---\r\nText.\r\n" }).introduction).toBe(
      "# About\r\n\r\n---\r\nText.\r\n",
    );
  });

  it.each(["---\ndraft: true\n---\nText.", "+++\ndraft = true\n+++\nText.", '{"draft": true}\nText.'])(
    "shows no front matter: %j",
    (text) => {
      expect(faultsOf({ "introduction.md": text })).toEqual([
        "introduction.md:1:1 syntax This text has no front matter: all of it is shown. Remove the front matter. A rule at the start of a text is written as ***.",
      ]);
    },
  );

  it("has no conflict of Git", () => {
    expect(faultsOf({ "introduction.md": "About\n<<<<<<< HEAD\nA\n=======\nB\n>>>>>>> branch\n" })).toEqual([
      "introduction.md:2:1 syntax A conflict of Git is not resolved. Resolve it. If it is an example, indent its lines.",
    ]);
  });
});

it("refuses an accent that is not a colour in quotes", () => {
  expect(faultsOf({ "api.yaml": "accent: blue\naccent_dark: '#fff'\n" })).toEqual([
    'api.yaml:1:9 wrong-value accent must be a colour in quotes, such as "#0a5bc2", but is "blue".',
    'api.yaml:2:14 wrong-value accent_dark must be a colour in quotes, such as "#0a5bc2", but is "#fff".',
  ]);
});

it("has the picture of previews, which is checked as others are", () => {
  expect(settingsOf({ "card.png": png }).card?.file).toBe("card.png");
  expect(settingsOf({}).card).toBeUndefined();
  expect(faultsOf({ "card.png": svg })).toEqual([
    "card.png:1:1 wrong-file This picture is image/svg+xml by its content, but image/png by its name.",
  ]);
});

describe("the logo", () => {
  it.each([
    ["logo.svg", `<?xml version="1.0"?>\n<!-- A mark -->\n${svg}`],
    ["logo.png", png],
  ] as const)("is %s", (file, image) => {
    const { logo } = settingsOf({ "api.yaml": `logo: ${file}`, [file]: image });
    expect(logo?.file).toBe(file);
    expect(Buffer.from(logo?.bytes ?? [])).toEqual(Buffer.from(image));
  });

  it.each([
    [
      "logo.png",
      { "logo.png": svg },
      'api.yaml:1:7 wrong-file "logo.png" is image/svg+xml by its content, but image/png by its name.',
    ],
    [
      "logo.png",
      {},
      "api.yaml:1:7 no-such-file There is no file logo.png in the content folder. Add it, or leave out logo.",
    ],
    [
      "logo.jpg",
      {},
      'api.yaml:1:7 wrong-value logo must be logo.svg or logo.png, but is "logo.jpg". Did you mean "logo.svg"?',
    ],
  ])("is refused as %s", (named, files, report) => {
    expect(faultsOf({ "api.yaml": `logo: ${named}`, ...files })).toEqual([report]);
  });

  it.each([
    ["", "is empty"],
    ["<p>", "is damaged: it has no size as image/svg+xml"],
    [svg.replace("<path", "<script>alert(1)</script><path"), "has the element script, which may run something"],
  ])("is not %s, as other pictures are not", (image, problem) => {
    expect(faultsOf({ "api.yaml": "logo: logo.svg", "logo.svg": image })).toEqual([
      `api.yaml:1:7 wrong-file "logo.svg" ${problem}.`,
    ]);
  });

  it("may have gradients and references within itself", () => {
    const own = svg.replace(
      "<path",
      '<defs><linearGradient id="b"><stop/></linearGradient></defs><use xlink:href="#c"/><path id="c"',
    );
    expect(settingsOf({ "api.yaml": "logo: logo.svg", "logo.svg": own }).logo?.file).toBe("logo.svg");
  });

  it("is named in api.yaml", () => {
    expect(faultsOf({ "api.yaml": "title: A", "logo.svg": svg })).toEqual([
      'logo.svg:1:1 unknown-file api.yaml does not name this logo. Add "logo: logo.svg" to api.yaml, or remove the file.',
    ]);
    expect(faultsOf({ "api.yaml": "logo: logo.png", "logo.svg": svg })).toEqual([
      'api.yaml:1:7 no-such-file There is no file logo.png in the content folder. Did you mean "logo.svg"?',
    ]);
  });
});
