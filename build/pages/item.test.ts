import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { singleItems, singleItemsContent, writeSingleItems } from "../../test/check/single-items.ts";
import { filesIn } from "../../test/hosts/upload.ts";
import type { BuildPlan } from "../build.ts";
import { build } from "../build.ts";
import type { Change } from "../output/folder.ts";

function site() {
  const folder = mkdtempSync(path.join(tmpdir(), "stillapi-item-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [content, out] = [path.join(folder, "content"), path.join(folder, "dist")];
  return {
    out,
    /** The files that a build of this content writes and removes, and its plan. */
    async build(items: Readonly<Record<string, unknown>>) {
      writeSingleItems(content, items);
      const changed: Change[] = [];
      let plan: BuildPlan | undefined;
      const options = { api: singleItems, content, out, deployment: undefined, hosts: [] };
      const [, faults] = await build(options, {
        onPlan: (made) => {
          plan = made;
        },
        onChange: (change) => changed.push(change),
        onWait: () => undefined,
      });
      expect(faults).toEqual([]);
      if (plan === undefined) throw new Error("There is no plan.");
      const of = (kind: Change["kind"]) => changed.flatMap((each) => (each.kind === kind ? [each.file] : [])).sort();
      return { written: of("written"), removed: of("removed"), plan };
    },
  };
}

const { ports, products } = singleItemsContent;

it("an edited item rewrites its file and the pages that hold it", async () => {
  const { build } = site();
  await build(singleItemsContent);
  const edited = ports.map((each) => (each.port === 443 ? { ...each, name: "https" } : each));
  const { written, removed } = await build({ ...singleItemsContent, ports: edited });
  expect(written.filter((file) => !/cursors|dumps|docs|openapi|v1\.json|index\.html|routing/.test(file))).toEqual([
    "api/v1/ports.json",
    "api/v1/ports/item/443.json",
    "api/v1/ports/limit/5.json",
  ]);
  expect(removed).toEqual([]);
});

it("a removed item takes its file and those of its aliases along", async () => {
  const { build } = site();
  await build(singleItemsContent);
  const left = products.map((each) => (each.name === "python" ? { ...each, aliases: [] } : each));
  expect((await build({ ...singleItemsContent, products: left })).removed).toEqual(["api/v1/products/item/py.json"]);
  const without = ports.filter(({ port }) => port !== 80);
  expect((await build({ ...singleItemsContent, products: left, ports: without })).removed).toEqual([
    "api/v1/ports/item/80.json",
    "api/v1/ports/item/8000.json",
    "api/v1/ports/item/8080.json",
  ]);
});

it("the cost of a build includes them", async () => {
  const { out, build } = site();
  const { plan } = await build(singleItemsContent);
  const files = filesIn(out);
  expect(plan.count).toBe(files.length);
  expect(plan.cost.files).toBe(files.length);
  const own = files.filter((file) => file.includes("/item/"));
  expect(plan.api.items.reduce((sum, { files }) => sum + files, 0)).toBe(own.length);
  const bytes = own.reduce((sum, file) => sum + readFileSync(path.join(out, file)).length, 0);
  expect(plan.api.items.reduce((sum, each) => sum + each.bytes, 0)).toBe(bytes);
  for (const folder of ["api/v1/products/item", "api/v1/releases/item/nodejs", "api/v1/builds/item/go/20"]) {
    const inside = own.filter((file) => path.dirname(file) === folder);
    expect({ folder, files: plan.cost.folders.get(folder) }).toEqual({ folder, files: inside.length });
  }
  expect(plan.cost.items).toEqual({ name: "/api/v1/releases", amount: 99 });
});
