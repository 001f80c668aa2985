// Random bytes, tokens and names as content. Every file is either in the catalog or in the report, without crashes or
// long waits. STILLAPI_SEED and FUZZ_RUNS select other cases.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { edgeNetwork } from "../../test/edge-network.ts";
import { compileContent } from "../../test/plan.ts";
import { random } from "../../test/random.ts";
import { rounds, seed } from "../../test/seed.ts";
import { openLog } from "../messages.ts";
import { discoverFor } from "./content.ts";
import type { Discovery } from "./files.ts";

const runs = Number(process.env["FUZZ_RUNS"] ?? 75 * rounds);
const { int, pick, chance } = random(seed);

const folder = mkdtempSync(path.join(tmpdir(), "stillapi-fuzz-"));
afterAll(() => rmSync(folder, { recursive: true }));

const timestamps = { created_at: "2026-01-01T00:00:00Z" };
const image = { content_type: "image/png", bytes: 1, width: 1, height: 1, status: "ready" };
const items: Readonly<Record<string, (id: string) => object>> = {
  images: (id) => ({ id: `med_${id}`, ...timestamps, ...image }),
  nodes: (id) => ({ id: `nod_${id}`, ...timestamps, pop: "lhr1", status: "operational", capacity: "40G" }),
  records: (id) => ({
    id: `rec_${id}`,
    collection: "os",
    ...timestamps,
    updated_at: "2026-01-01T00:00:00Z",
    revision: 1,
  }),
};

const yamlOf = (all: readonly object[]) =>
  all
    .map(
      (each) =>
        `- ${Object.entries(each)
          .map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
          .join("\n  ")}\n`,
    )
    .join("");
const formats: readonly (readonly [string, (all: readonly object[]) => string])[] = [
  ["json", (all) => JSON.stringify(all, null, int(3))],
  ["yaml", yamlOf],
  ["yml", (all) => `[${all.map((each) => JSON.stringify(each)).join(", ")}]\n`],
  ["ndjson", (all) => all.map((each) => `${JSON.stringify(each)}\n`).join("")],
  ["jsonl", (all) => all.map((each) => JSON.stringify(each).replaceAll('":', '": ')).join("\r\n")],
];

const tokens = [
  ..."{}[],:\"'`|>&*!%@#?-~\\/ \t\n\r\0\u2028\u0085\u00a0\ufeff\ufffd\ud800é😀0",
  ..."---\n|...\n|- |<<: |&a |*a|!!set |!x |%YAML 1.1\n---\n|# |: |? |? a\n: b\n|\r\n|\n\n|null|~|NO|3.10|1e999|-0|0x1F|.inf".split(
    "|",
  ),
  ..."9007199254740993|12345678901234567890123|1e-400|__proto__|\"__proto__\":|constructor|toString|\\u0000|\\ud800|\\x|'|''".split(
    "|",
  ),
  ...'/*x*/|// x\n|{"a":1,"a":2}|[[[[|}}}}|&a [*a]|- &a\n- *a\n|  |\t- |true|false|"|\\"|{? [a] : b}|!!binary x|@|`'.split(
    "|",
  ),
  "[".repeat(70),
  '{"a":'.repeat(70),
  "- ".repeat(70),
  "9".repeat(400),
  "a".repeat(5_000),
  " ".repeat(2_000),
  "\n".repeat(300),
];

/** Changes the text in a few places, or not at all. */
function mutated(text: string): Buffer {
  let own = text;
  for (let left = pick([0, 0, 1, 1, 1, 2, 3, 8]); left > 0; left--) {
    const at = int(own.length + 1);
    const to = Math.min(own.length, at + pick([1, 1, 2, 5, 40]));
    const lines = own.split("\n");
    const line = int(lines.length);
    own = pick([
      () => own.slice(0, at) + own.slice(to),
      () => own.slice(0, at) + pick(tokens) + own.slice(at),
      () => own.slice(0, at) + pick(tokens) + own.slice(to),
      () => own.slice(0, to) + own.slice(at),
      () => [...lines.slice(0, line), pick(tokens) + (lines[line] ?? ""), ...lines.slice(line + 1)].join("\n"),
      () => [...lines.slice(0, line), lines[line] ?? "", ...lines.slice(line)].join("\n"),
      () => own.replaceAll("\n", pick(["\r", "\r\n", "\n\n"])),
      () => own.replace(/"/g, (quote) => (chance(0.3) ? "'" : quote)),
      () => own + own,
      () => pick(["\ufeff", "\ufeff\ufeff", "\0"]) + own,
    ])();
  }
  const bytes = Buffer.from(own);
  if (chance(0.1) && bytes.length > 0) bytes[int(bytes.length)] = int(256);
  return chance(0.02) ? Buffer.concat([bytes, bytes.subarray(0, int(bytes.length))]) : bytes;
}

const oddNames = [
  "é",
  "😀",
  "a b",
  "-",
  "--x",
  "a.b",
  "..a",
  "A",
  "a\r",
  "\u2028",
  "\ufffd",
  "x".repeat(200),
  "os",
  "web",
  "__proto__",
  "con",
  "*",
  "[a]",
  "a\\b",
];

/** The ids written into each file, and whether the file is unchanged. */
interface Laid {
  readonly files: Map<string, { readonly ids: readonly string[]; readonly isWhole: boolean }>;
}

function lay(root: string): Laid {
  const files: Laid["files"] = new Map();
  const write = (file: string, bytes: Buffer | string) => {
    try {
      mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
      writeFileSync(path.join(root, file), bytes, { flag: "wx" });
      return true;
    } catch {
      // The name is in use, too long or invalid.
      return false;
    }
  };
  const region = { code: "lhr1", name: "London", zone: "europe-west", country: "GB", status: "operational" };
  write("regions.yaml", chance(0.1) ? mutated(yamlOf([region])) : yamlOf([region]));
  write("schema.json", chance(0.1) ? mutated('[{"name":"os","fields":[]}]') : '[{"name":"os","fields":[]}]');
  if (chance(0.3))
    write("api.yaml", mutated("title: Edge\npage_sizes: [10, 20]\nvocabulary:\n  image_status: [ready]\n"));
  if (chance(0.3)) write("deployments/edge.json", mutated('{"operations":["images","nodes"]}'));
  for (let left = 1 + int(4); left > 0; left--) {
    const resource = pick(Object.keys(items));
    const [extension, textOf] = pick(formats);
    const count = int(5);
    const all = Array.from({ length: count }, (_, index) => items[resource]?.(`${files.size}x${left}x${index}`) ?? {});
    const text = textOf(all);
    const bytes = mutated(text);
    const name = chance(0.2) ? pick(oddNames) : `f${left}`;
    const parent = chance(0.2) ? `${pick(oddNames)}/` : "";
    const file = `${resource}/${parent}${name}.${chance(0.03) ? extension.toUpperCase() : extension}`;
    if (write(file, bytes))
      files.set(file, { ids: idsIn(Buffer.from(JSON.stringify(all))), isWhole: bytes.equals(Buffer.from(text)) });
  }
  if (chance(0.1))
    symlinkSync(pick(["..", "nowhere", "regions.yaml", "images", "a".repeat(300), "."]), path.join(root, "link.json"));
  return { files };
}

/** Counts of the cases' results, for the report of a long run. */
const tally = { right: 0, faulty: 0, errors: 0, entries: 0 };

async function judge(root: string, laid: Laid): Promise<void> {
  const discovery = await discoverFor(root, [edgeNetwork]);
  const faulty = judgeCatalog(discovery, laid);
  if (faulty.size === 0) return;
  // Errors hide all items. Without the faulty files, the items of the other files are in the catalog.
  const files = discovery.files.filter(({ file }) => !faulty.has(file));
  if (!["regions.yaml", "schema.json"].every((needed) => files.some(({ file }) => file === needed))) return;
  const others = new Map([...laid.files].filter(([file]) => files.some((each) => each.file === file)));
  expect([...judgeCatalog({ files, unreadable: new Map() }, { files: others })]).toEqual([]);
}

/** The files with errors. If there are none, each entry must be in the catalog. */
function judgeCatalog(discovery: Discovery, { files }: Laid): ReadonlySet<string> {
  const log = openLog();
  const { items: catalog } = compileContent(discovery, edgeNetwork, log);
  const { shown: messages, omitted } = log.messages();
  const shown = messages.filter(({ severity }) => severity === "error");
  for (const { text, hint = "" } of shown) expect(`${text} ${hint}`).not.toMatch(/\n| {4}at |undefined|\[object/);
  tally[shown.length === 0 ? "right" : "faulty"]++;
  tally.errors += omitted.reduce((sum, { count }) => sum + count, shown.length);
  const held = Object.keys(items).flatMap((name) => idsIn(catalog.get(name)?.bytes));
  if (shown.length > 0) {
    expect(held).toEqual([]);
    return new Set([...shown.map(({ place }) => place.file), ...omitted.map(({ file }) => file)]);
  }
  const found = new Set(discovery.files.map(({ file }) => file));
  const isHidden = (file: string) => file.split("/").some((part) => part.startsWith("."));
  for (const [file, { isWhole, ids }] of files) {
    expect(found.has(file) || isHidden(file)).toBe(true);
    if (!isWhole || isHidden(file)) continue;
    tally.entries += ids.length;
    expect(held).toEqual(expect.arrayContaining([...ids]));
  }
  expect(new Set(held).size).toBe(held.length);
  return new Set();
}

const idsIn = (bytes: Uint8Array | undefined): readonly string[] =>
  [
    ...Buffer.from(bytes ?? [])
      .toString()
      .matchAll(/"id":"([^"]+)"/g),
  ].map(([, id]) => id ?? "");

it("has every entry in the catalog or an error in its file", { timeout: 3_600_000 }, async () => {
  for (let run = 0; run < runs; run++) {
    const root = path.join(folder, String(run));
    mkdirSync(root);
    const laid = lay(root);
    const start = process.cpuUsage();
    try {
      await judge(root, laid);
      const { user, system } = process.cpuUsage(start);
      expect((user + system) / 1e6, "seconds").toBeLessThan(1);
    } catch (error) {
      throw new Error(`Case ${run} of STILLAPI_SEED=${seed} FUZZ_RUNS=${run + 1}`, { cause: error });
    }
    rmSync(root, { recursive: true });
  }
  expect(tally.right).toBeGreaterThan(0);
  if (process.env["FUZZ_RUNS"] !== undefined) console.info({ seed, runs, ...tally });
});
