import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import { writeSample } from "../../test/check/sample.ts";
import { discovered, faultsOf, type Tree } from "../../test/content/folder.ts";
import { edgeNetwork } from "../../test/edge-network.ts";
import { runBuild, usePublishedProgram } from "../../test/output/cli.ts";
import { stateOf, temporaryFolder } from "../../test/output/folder.ts";
import { compileContent, compiledWithErrors } from "../../test/plan.ts";
import { codes } from "../codes.ts";
import { openLog } from "../messages.ts";
import type { UnreadableReason } from "./files.ts";

const lines = (...each: readonly string[]): string => `${each.join("\n")}\n`;

/** Its faults are listed in `places`. */
const tree: Tree = {
  "NOTES.md": "# Data\n",
  "api.yaml": lines(
    "title: ''",
    "tilte: Edge",
    "default_deployment: egde",
    "page_sizes: {nodes: [0, 10], image: every}",
    "vocabulary:",
    "  node_status: [operational, 5]",
    "  zone: []",
  ),
  "api.yml": "{}\n",
  "deployments/Media.yaml": "{}\n",
  "deployments/base.yml": "- operations: [nodes]\n",
  "deployments/edge.json": lines(
    "{",
    '  "operations": ["nodes", "region", "status"],',
    '  "status": {',
    '    "status": "Operational",',
    '    "region": "eu",',
    '    "components": [{ "name": "api", "status": "ready" }, { "name": "api", "state": "ready" }],',
    '    "updated_at": "2026-02-30T00:00:00Z"',
    "  }",
    "}",
  ),
  "deployments/edge.yaml": "",
  "deployments/eu/west.yaml": "{}\n",
  // A byte order mark does not count as a column.
  "images/bom.json":
    '\ufeff[{"id":"med_1","created_at":"2026-01-01T00:00:00Z","content_type":"png","bytes":0,"width":1.5,"height":-1,"status":"ready"}]',
  "images/comment.json": "// none\n[]\n",
  "images/deep.json": "[".repeat(65) + "]".repeat(65),
  "images/latin.json": Buffer.from('["é"]', "latin1"),
  "images/lines.ndjson": [
    '{"id":"med_2","created_at":"2026-01-01T00:00:00Z","content_type":"image/png","bytes":1,"width":1,"height":1,"status":"ready",}',
    '{"id":"med_3","id":"med_4","created_at":"2026-01-01T00:00:00Z","content_type":"image/png","bytes":"10","width":1,"height":1,"status":"ready"}',
    "",
    '{"id":"MED_4","created_at":"2026-01-01 00:00:00","content_type":"image/png","bytes":1,"width":1,"height":1}',
  ].join("\r\n"),
  "node.json": "[]",
  "nodes/bomb.yaml": lines(
    "a: &a [x,x,x,x,x,x,x,x,x,x]",
    "b: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]",
    "c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]",
    "d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]",
    "e: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]",
    // Each alias expands to 111,110 values: with the eighth the file exceeds a million.
    "f: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e,*e]",
  ),
  "nodes/europe.yaml": lines(
    "- id: nod_1",
    "  created_at: 2026-01-01T00:00:00Z",
    "  pop: lhr9",
    "  status: degraded",
    "  capacity: 100",
    "- id: nod_1",
    "  created_at: 2026-01-01T00:00:00Z",
    "  pop: LHR1",
    "  status: operational",
    "  capacty: 100G",
    "- nod_2",
    "- id: nod_3",
    "  created_at: !!timestamp 2026-01-01T00:00:00Z",
    "  pop:",
    "  status: operational",
    "  capacity: 010G",
  ),
  "nodes/hyphen.yaml": lines(
    "- id: nod_7",
    "  created_at: 2026-01-01T00:00:00Z",
    "  pop: lhr1",
    "  id: nod_8",
    "  created_at: 2026-01-01T00:00:00Z",
    "  pop: lhr1",
  ),
  "nodes/merge.yaml": lines(
    "- &usual {id: nod_4, created_at: 2026-01-01T00:00:00Z, pop: lhr1, status: operational, capacity: 10G}",
    "- <<: *usual",
    "  id: nod_5",
    "- *other",
  ),
  "nodes/old.yaml": lines("%YAML 1.1", "---", "[]"),
  "nodes/tabs.yml": lines("- id: nod_6", "\tpop: lhr1"),
  "records/os.jsonl": lines(
    '{"id":"rec_1","created_at":"2026-01-02T00:00:00Z","revision":-1,"updated_at":"2026-01-01T00:00:00Z"}',
    '{"id":"rec_2","created_at":"2026-01-01T00:00:00Z","collection":"web","revision":9007199254740993,"updated_at":"2026-01-01T00:00:00Z"}',
    '{"id":"rec_3","created_at":"2026-01-01T00:00:00Z","collection":"ios","revision":"3","updated_at":"2026-01-01T00:00:00Z"}',
    '{"id":"rec_4","created_at":"2026-01-01T00:00:00Z","revision":0.5,"updated_at":"2026-02-29T00:00:00Z","__proto__":{}}',
  ),
  "records/webb.json":
    '[{"id":"rec_6","created_at":"2026-01-01T00:00:00Z","revision":0,"updated_at":"2026-01-01T00:00:00Z"}]',
  "regions.yaml": lines(
    "- code: lhr1",
    "  name: London",
    "  zone: Europe",
    "  country: gb",
    "  status: operational",
    "- code: lhr1",
    "  name: ' '",
    "  zone: europe-west",
    "  country: NO",
    "  status: operational",
  ),
  "regions/more.json": '[{"code":"syd1","name":"😀","zone":"x","country":"AU","status":"operational"}]',
  "schema/os.yaml": lines(
    "name: os",
    "fields:",
    "  - {name: 3.10, type: string, nullable: false}",
    "  - {name: version, type: string, nullable: 'true'}",
    "  - {name: version, type: string}",
    "  - {name: 1e3, type: string, nullable: false}",
  ),
  "schema/web.json": '{"name": "web", "fields": [], "fields": []}',
};

const unreadable: Readonly<Record<string, UnreadableReason>> = {
  "images/a\nb.json": "bad-name",
  "images/large.json": "too-large",
  "images/gone.json": "link",
  "images/old": "link",
  "images/pipe.json": "special",
  "images/secret.json": "link",
};

/** All expected reports, in order. */
const places = [
  "NOTES.md:1:1 unknown-file",
  "api.yaml:1:8 wrong-value",
  "api.yaml:2:1 unknown-field",
  "api.yaml:3:21 no-such-name",
  "api.yaml:4:22 wrong-value",
  "api.yaml:4:30 unknown-field",
  "api.yaml:6:30 wrong-type",
  "api.yaml:7:9 wrong-value",
  "api.yml:1:1 unknown-file",
  "deployments/Media.yaml:1:1 unknown-file",
  "deployments/base.yml:1:1 not-one",
  "deployments/base.yml:1:3 missing-field",
  "deployments/edge.json:2:27 wrong-value",
  "deployments/edge.json:6:68 wrong-value",
  "deployments/edge.json:6:75 unknown-field",
  "deployments/edge.json:7:19 wrong-value",
  "deployments/edge.yaml:1:1 empty-file",
  "deployments/edge.yaml:1:1 not-unique",
  "deployments/eu/west.yaml:1:1 unknown-file",
  "images/a\\u000ab.json:1:1 no-file",
  "images/bom.json:1:67 wrong-value",
  "images/bom.json:1:81 wrong-value",
  "images/bom.json:1:91 wrong-value",
  "images/bom.json:1:104 wrong-value",
  "images/comment.json:1:1 syntax",
  "images/deep.json:1:65 too-deep",
  "images/gone.json:1:1 no-file",
  "images/large.json:1:1 too-large",
  "images/latin.json:1:3 invalid-utf8",
  "images/lines.ndjson:1:126 syntax",
  "images/lines.ndjson:2:15 duplicate-key",
  "images/lines.ndjson:2:99 wrong-type",
  "images/lines.ndjson:4:1 missing-field",
  "images/lines.ndjson:4:7 not-unique",
  "images/lines.ndjson:4:7 wrong-value",
  "images/lines.ndjson:4:28 wrong-value",
  "images/old:1:1 no-file",
  "images/pipe.json:1:1 no-file",
  "images/secret.json:1:1 no-file",
  "node.json:1:1 unknown-file",
  "nodes/bomb.yaml:6:29 yaml-only",
  "nodes/europe.yaml:3:8 no-such-item",
  "nodes/europe.yaml:5:13 wrong-type",
  "nodes/europe.yaml:6:7 not-unique",
  "nodes/europe.yaml:8:8 no-such-item",
  "nodes/europe.yaml:10:3 unknown-field",
  "nodes/europe.yaml:11:3 wrong-type",
  "nodes/europe.yaml:13:15 yaml-only",
  "nodes/europe.yaml:14:7 wrong-type",
  "nodes/europe.yaml:16:13 wrong-value",
  "nodes/hyphen.yaml:1:3 missing-field",
  "nodes/hyphen.yaml:1:3 missing-field",
  "nodes/hyphen.yaml:4:3 duplicate-key",
  "nodes/hyphen.yaml:5:3 duplicate-key",
  "nodes/hyphen.yaml:6:3 duplicate-key",
  "nodes/merge.yaml:2:3 yaml-only",
  "nodes/merge.yaml:4:3 syntax",
  "nodes/old.yaml:1:1 yaml-only",
  "nodes/tabs.yml:2:1 syntax",
  "records/os.jsonl:1:62 wrong-value",
  "records/os.jsonl:1:78 wrong-value",
  "records/os.jsonl:2:64 wrong-collection",
  "records/os.jsonl:2:81 wrong-value",
  "records/os.jsonl:3:64 no-such-item",
  "records/os.jsonl:3:81 wrong-type",
  "records/os.jsonl:4:62 wrong-value",
  "records/os.jsonl:4:79 wrong-value",
  "records/os.jsonl:4:102 unknown-field",
  "records/webb.json:1:2 no-such-item",
  "regions.yaml:3:9 wrong-value",
  "regions.yaml:4:12 wrong-value",
  "regions.yaml:6:9 not-unique",
  "regions.yaml:7:9 wrong-value",
  "regions/more.json:1:36 wrong-value",
  "schema/os.yaml:3:12 wrong-type",
  "schema/os.yaml:4:45 wrong-type",
  "schema/os.yaml:5:5 missing-field",
  "schema/os.yaml:5:12 wrong-value",
  "schema/os.yaml:6:12 wrong-type",
  "schema/web.json:1:31 duplicate-key",
];

const placeOf = (line: string): string => line.split(" ").slice(0, 2).join(" ");

describe("content in which everything is wrong", () => {
  it("is reported whole in one run, each error at its place", () => {
    expect(faultsOf(tree, unreadable).map(placeOf)).toEqual(places);
  });

  it("has more than forty errors that are worded differently, and each code", () => {
    const { errors } = compiledWithErrors(discovered(tree, unreadable), edgeNetwork);
    expect(new Set(errors.map(({ text }) => text)).size).toBeGreaterThan(40);
    // No filter of this API has values that occur, and no file is made or chosen by the declaration; the logo is sought only
    // if api.yaml has no fault. Other tests have these faults.
    const others = ["ambiguous-file", "not-made", "no-items", "no-such-file", "wrong-file", "unreadable"];
    const ofContent = Object.entries(codes).flatMap(([code, { about, severity }]) =>
      about === "content" && severity === "error" ? [code] : [],
    );
    // Names of deployments are in the content, all others in the declaration.
    ofContent.push("no-such-name");
    expect(new Set([...errors.map(({ code }) => code), ...others])).toEqual(new Set(ofContent));
  });

  it("has the same report whatever the order of its files", () => {
    const { files, unreadable: others } = discovered(tree, unreadable);
    const { errors } = compiledWithErrors({ files, unreadable: others }, edgeNetwork);
    const orderOf = <Each>(all: readonly Each[]) => fc.shuffledSubarray([...all], { minLength: all.length });
    fc.assert(
      fc.property(orderOf(files), orderOf([...others]), (shuffledFiles, shuffledOthers) => {
        const shuffled = { files: shuffledFiles, unreadable: new Map(shuffledOthers) };
        expect(compiledWithErrors(shuffled, edgeNetwork).errors).toEqual(errors);
      }),
      { numRuns: 20 },
    );
  });
});

/** Copies the tree to another folder. */
function layTree(content: string): void {
  for (const [file, text] of Object.entries(tree)) {
    mkdirSync(path.dirname(path.join(content, file)), { recursive: true });
    writeFileSync(path.join(content, file), text);
  }
  writeFileSync(path.join(content, "images/a\nb.json"), "[]");
  writeFileSync(path.join(content, "images/large.json"), "");
  truncateSync(path.join(content, "images/large.json"), 2 ** 31);
  symlinkSync("nowhere.json", path.join(content, "images/gone.json"));
  symlinkSync("../nodes", path.join(content, "images/old"));
  execFileSync("mkfifo", [path.join(content, "images/pipe.json")]);
  writeFileSync(path.join(content, "../secret.json"), "[]");
  symlinkSync("../../secret.json", path.join(content, "images/secret.json"));
}

function run(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [inject("program"), ...args], {
    encoding: "utf8",
    env: { PATH: process.env.PATH, HOME: process.env.HOME },
  });
  return { status, stdout, stderr };
}

describe("a build of it", () => {
  usePublishedProgram();

  it("reports each error in a line, and leaves the previous build unchanged", async () => {
    const folder = temporaryFolder();
    const right = path.join(folder, "right");
    const content = path.join(folder, "content");
    const out = path.join(folder, "dist");
    writeSample(right, { count: 10, pageSizes: [100] });
    expect(await runBuild(right, out)).toMatchObject({ code: 0, stderr: "" });
    layTree(content);
    const before = [readdirSync(folder), stateOf(out)];

    const { status, stdout, stderr } = run("build", "--content", content, "--out", out, "--all");
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).not.toContain("    at ");
    const files = new Set(places.map((place) => place.split(":")[0]));
    expect(stderr.split("\n")).toEqual([
      ...faultsOf(tree, unreadable, content),
      `✗ ${places.length} faults in ${files.size} files; nothing was built.`,
      "",
    ]);

    expect([readdirSync(folder), stateOf(out)]).toEqual(before);
  });

  it("reports the same errors to programs as data", () => {
    const content = path.join(temporaryFolder(), "content");
    layTree(content);
    const out = path.join(content, "../dist");
    const { status, stdout, stderr } = run("build", "--content", content, "--out", out, "--format", "json");
    expect({ status, stderr }).toEqual({ status: 1, stderr: "" });
    const log = openLog();
    compileContent(discovered(tree, unreadable), edgeNetwork, log, content);
    const messages = log.messages().shown.map(({ place, ...message }) => ({ ...message, ...place }));
    expect(JSON.parse(stdout)).toEqual({ messages, omitted: [] });
  });
});
