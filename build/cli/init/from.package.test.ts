import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { run } from "../../../test/cli/run-command.ts";
import { typeCheck } from "../../../test/client/type-check.ts";
import { temporaryFolder } from "../../../test/temporary.ts";

const folder = temporaryFolder();

/** In the Windows code page 1252, which has € and „ where ISO 8859-1 has control characters. */
const windows = (text: string) =>
  Uint8Array.from(text, (character) => ({ "€": 0x80, "„": 0x84 })[character] ?? character.charCodeAt(0));

interface Shape {
  readonly title: string;
  /** By their paths. The first part is what the command is given. */
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  /** Parts of the declaration. */
  readonly declared: readonly string[];
}

const shapes: readonly Shape[] = [
  {
    title: "a map of objects",
    files: {
      "countries.json": JSON.stringify({
        ch: { name: "Switzerland", capital: "Bern", eu: false },
        de: { name: "Germany", eu: true },
      }),
    },
    declared: [
      'files: { match: "countries.json", items: "*", memberName: "id" }',
      "id: slug,",
      "capital: z.string().optional()",
      'key: "id"',
      'filters: { eu: "eu" }',
    ],
  },
  {
    title: "a map whose names are no keys",
    files: { "languages.yml": 'Ruby: { id: 326, color: "#701516" }\nC++: { id: 43, color: "#f34b7d" }\n' },
    declared: ['items: "*", memberName: "name" }', "name: z.string(),", 'key: "id"'],
  },
  {
    title: "a list in a member of an object",
    files: {
      "Places 2026.geojson": JSON.stringify({
        type: "FeatureCollection",
        features: [
          { type: "Feature", id: "a1", properties: { name: "A b" }, geometry: { coordinates: [7.5, 46] } },
          { type: "Feature", id: "b2", properties: { name: "B c" }, geometry: { coordinates: [[8, 47.5]] } },
        ],
      }),
    },
    declared: [
      'files: { match: "places-2026.geojson", items: "features" }',
      "coordinates: z.array(z.union([z.number(), z.array(z.number())]))",
      'key: "id"',
    ],
  },
  {
    title: "CSV of a GTFS feed",
    files: {
      "stops.txt": 'stop_id,stop_name,stop_lat,parent_station\nS1,"Main, A",47.1,\nS1a,Main B,47.2,S1\n',
      "stop_times.txt": "trip_id,stop_id,stop_sequence\nt1,S1,1\nt1,S1a,2\nt1,S1,3\nt2,S1,1\n",
    },
    declared: [
      'files: { match: "stops.txt", format: "csv" }',
      "stop_lat: z.number()",
      'key: "stop_id"',
      'key: ["trip_id", "stop_sequence"]',
      '    "stop-times": defineCollection({',
    ],
  },
  {
    title: "CSV without a header, with texts for null, true and false",
    files: {
      "airlines.dat": '1,"Private flight",\\N,N\n2,"135 Airways","GNL",Y\n3,"1Time Airline","RNX",Y\n',
    },
    declared: [
      'header: ["column1", "column2", "column3", "column4"], null: ["", "\\\\N"], booleans: ["Y", "N"] },',
      "column3: z.string().nullable()",
      "column4: z.boolean()",
      'key: "column1"',
      "// The first row is data",
    ],
  },
  {
    title: "CSV of a spreadsheet in German",
    files: {
      "Kunden.csv": windows("Nr;Name;Preis;Ort\r\n1;„Müller;1.234,50;Zürich\r\n2;Café €;7,00;\r\n"),
    },
    declared: [
      'files: { match: "kunden.csv", encoding: "windows-1252", delimiter: ";" }',
      '// If texts such as "1.234,50" are numbers, transform can make numbers of them.',
      "Ort: z.string().nullable()",
      'key: "Nr"',
    ],
  },
  {
    title: "CSV with decimal commas and names that have blanks",
    files: { "Gewichte.csv": "Art. Nr.;kg\nA1;0,125\nA2;7,5\nA3;2\n" },
    declared: ["kg: z.number(),", 'files: { match: "gewichte.csv", delimiter: ";", decimal: "," }'],
  },
  {
    title: "CSV with tabs, and with vertical bars in which quotes are characters",
    files: {
      "sizes.txt": "id\tsize\na\tNA\nb\t12\n",
      "names.txt": 'code|name\na|"A" b\nb|c d\n',
    },
    declared: ['delimiter: "\\t", null: ["", "NA"]', "size: z.int().nullable()", 'delimiter: "|", quote: false'],
  },
  {
    title: "a folder of Markdown, each file in a folder with its pictures",
    files: {
      "topics/ajax/index.md": "---\ntitle: Ajax\ntags: [js]\n---\n\nText.\n",
      "topics/css/index.md": "---\ntitle: Cascade\n---\n\nMore.\n",
      "topics/css/css.png": new Uint8Array([137, 80, 78, 71]),
    },
    declared: ['files: "topics/{id}/index.md"', "tags: z.array(slug).optional()", "body: z.string()", 'key: "id"'],
  },
  {
    title: "a folder of Markdown with keys",
    files: {
      "posts/2026/one.md": "---\nslug: first\ndate: 2026-01-01\n---\nText.\n",
      "posts/two.md": "---\nslug: second\ndate: 2026-01-02\n---\n",
      "posts/README.md": "# For people\n",
    },
    declared: ["date: z.iso.date()", "body: z.string().optional()", 'key: "slug"'],
  },
  {
    title: "NDJSON",
    files: {
      "events.log":
        '{"id":"evt_1","at":"2026-01-01T00:00:00Z","user":{"name":"A b"}}\n{"id":"evt_2","at":"2026-01-02T00:00:00Z"}\n',
    },
    declared: ['files: { match: "events.log", format: "ndjson" }', "id: z.string()", "at: time", 'key: "id"'],
  },
  {
    title: "a list of nested objects in JSON",
    files: {
      "api.json": JSON.stringify([
        { slug: "a-b", address: { street: "X 1", geo: { lat: 1.5 } }, hours: [{ day: "mon" }], kind: "bar" },
        { slug: "c-d", address: { street: "Y 2", geo: { lat: 1 }, zip: "8000" }, hours: [], kind: "bar" },
        { slug: "e-f", address: { street: "Y 2", geo: { lat: 1 } }, hours: [], kind: "pub" },
        { slug: "g-h", address: { street: "Y 2", geo: { lat: 1 } }, hours: [], kind: "pub" },
      ]),
    },
    declared: [
      '"api-list": defineCollection',
      "zip: z.string().optional(),",
      'kind: z.enum(["bar", "pub"])',
      'filters: { kind: "kind" }',
      'key: "slug"',
    ],
  },
];

const filesIn = (at: string): readonly string[] =>
  readdirSync(at, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(at, path.join(entry.parentPath, entry.name)).split(path.sep).join("/"));

function write(at: string, files: Shape["files"]): readonly string[] {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(at, file)), { recursive: true });
    writeFileSync(path.join(at, file), text);
  }
  return [...new Set(Object.keys(files).map((file) => path.join(at, file.split("/")[0] ?? "")))];
}

const checked = (at: string) =>
  run(["check", "--content", path.join(at, "content"), "--config", path.join(at, "api.config.ts")]);

describe.each(shapes.map((shape, index) => ({ ...shape, at: path.join(folder, String(index)) })))(
  "init --from $title",
  ({ files, declared, at }) => {
    const repository = path.join(at, "api");

    it("declares it in a repository that passes check, and copies its bytes", async () => {
      const sources = write(path.join(at, "data"), files);
      const { status, stdout, stderr } = await run(["init", repository, "--from", ...sources]);
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
      expect(stdout).toContain("The data is valid.");
      const declaration = readFileSync(path.join(repository, "api.config.ts"), "utf8");
      for (const part of declared) expect(declaration).toContain(part);
      expect(await checked(repository)).toMatchObject({ status: 0, stdout: expect.stringContaining("is valid") });
      const copies = filesIn(path.join(repository, "content"))
        .filter((file) => file !== "api.yaml")
        .map((file) => readFileSync(path.join(repository, "content", file)));
      expect(copies).toHaveLength(Object.keys(files).length);
      for (const bytes of Object.values(files))
        expect(copies.some((copy) => copy.equals(Buffer.from(bytes)))).toBe(true);
    });
  },
);

it("declares collections whose types the client knows", () => {
  const files = Object.fromEntries(
    shapes.map((_, index) => [
      `${index}.ts`,
      readFileSync(path.join(folder, String(index), "api", "api.config.ts"), "utf8"),
    ]),
  );
  expect(typeCheck(files).errors).toEqual([]);
});

it("makes one collection of files of one name, and another of a file with another ending", async () => {
  const at = path.join(folder, "names");
  const sources = [
    ...write(path.join(at, "one"), { "items.json": '[{"id":"a"}]' }),
    ...write(path.join(at, "two"), { "items.json": '[{"id":"b"}]', "items.csv": "id\nc\n" }),
  ];
  const { status, stdout } = await run(["init", path.join(at, "api"), "--from", ...sources]);
  expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining("The data is valid.") });
  expect([...filesIn(path.join(at, "api", "content"))].sort()).toEqual([
    "api.yaml",
    "items-2.csv",
    "items/one/items.json",
    "items/two/items.json",
  ]);
});

it("gives collections names that are valid and that no other has", async () => {
  const at = path.join(folder, "collections");
  const names = ["data-1.csv", "data1.csv", "Data 1.csv", "class.csv", "Docs.csv", "2024-25.csv"];
  const sources = write(path.join(at, "data"), Object.fromEntries(names.map((name) => [name, "id,sort\na,x\nb,y\n"])));
  const { status, stdout } = await run(["init", path.join(at, "api"), "--from", ...sources]);
  expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining("The data is valid.") });
  const declaration = readFileSync(path.join(at, "api", "api.config.ts"), "utf8");
  expect(declaration.match(/(?<=GET \/api\/v1\/).*/g)).toEqual([
    "data-1",
    "data1-2",
    "data-1-3",
    "class",
    "docs-list",
    "items-2024-25",
  ]);
});

it("says what a person must decide, and writes the declaration", async () => {
  const at = path.join(folder, "decide");
  const sources = write(path.join(at, "data"), {
    "cities.csv": "name,x\nBern,1\nBern,2.5\n",
    "books.csv": "N° d'inventaire,x\nFA 0001,1.5\nFA 0002,2\n",
    "fine.csv": "id\na\n",
  });
  const { status, stdout, stderr } = await run(["init", path.join(at, "api"), "--from", ...sources]);
  expect({ status, stderr }).toEqual({
    status: 0,
    stderr: `! cities: no field is unique in all items and can be a part of an address. "name" is declared as the key. Choose another one, or make one with slugify in the option transform.
! books: no field is unique in all items and can be a part of an address. "N° d'inventaire" is declared as the key. Choose another one, or make one with slugify in the option transform.
`,
  });
  expect(stdout).toContain("  fine: 1 item\n");
  expect(stdout).not.toContain("The data is valid");
  expect(readFileSync(path.join(at, "api", "api.config.ts"), "utf8")).toContain('key: "name"');
});

it("says where the data has a fault, and which numbers are not published as they are written", async () => {
  const at = path.join(folder, "fault");
  const sources = write(path.join(at, "data"), {
    "rows.csv": "id,name\na,b c\nb\n",
    "versions.yaml": "- { id: a, version: 3.10 }\n- { id: b, version: 3.9 }\n",
  });
  const { status, stderr } = await run(["init", path.join(at, "api"), "--from", ...sources]);
  expect({ status, stderr }).toEqual({
    status: 0,
    stderr: `! content/rows.csv:3 This is not valid CSV: this row has 1 cell, but the header has 2.
! content/versions.yaml:1 version is the number 3.10, which is published as 3.1.
`,
  });
});

it.each<readonly [what: string, files: Shape["files"], message: RegExp]>([
  ["a file that does not exist", {}, /There is no file .*gone\.json\. Name files or folders after --from\./],
  ["JSON with a mistake", { "gone.json": '[{"id": 1]' }, /gone\.json:1:10 This is not valid JSON/],
  ["an empty file", { "gone.json": "" }, /gone\.json:1:1 The file is empty\./],
  ["a list without items", { "gone.json": "[]" }, /gone\.json holds no items\./],
  ["values that are no objects", { "gone.json": "[1, 2]" }, /gone\.json holds values that are not objects/],
  [
    "values that are no objects in one of several files",
    { "gone.json/a.json": '[{"id":1}]', "gone.json/b.json": "[1]" },
    /gone\.json\/b\.json holds values that are not objects/,
  ],
  ["an empty folder", { "gone.json/README.md": "" }, /holds no data files\. Name files or folders with data\./],
  ["a folder without data", { "gone.json/a.png": "" }, /holds no data files\. Name files or folders with data\./],
  [
    "a folder of several formats",
    { "gone.json/a.csv": "id\n1\n", "gone.json/b.md": "x\n" },
    /several formats: \.csv, \.md/,
  ],
])("refuses %s and writes nothing", async (what, files, message) => {
  const at = path.join(folder, `refused-${what.replaceAll(" ", "-")}`);
  write(path.join(at, "data"), files);
  const target = path.join(at, "api");
  const { status, stdout, stderr } = await run(["init", target, "--from", path.join(at, "data", "gone.json")]);
  expect({ status, stdout, stderr }).toEqual({ status: 2, stdout: "", stderr: expect.stringMatching(message) });
  expect(existsSync(target)).toBe(false);
});

it("goes with no template", async () => {
  const { status, stderr } = await run(["init", path.join(folder, "both"), "--from", "a", "--template", "blank"]);
  expect(status).toBe(2);
  expect(stderr).toContain("'--from <file...>' cannot be used with option '--template <name>'");
});
