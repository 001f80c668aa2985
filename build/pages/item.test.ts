import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { singleItems, singleItemsContent, writeSingleItems } from "../../test/check/single-items.ts";
import { planOf } from "../../test/documents/source.ts";

it("has a file for each item and alias, which the cost of a build includes", async () => {
  const content = mkdtempSync(path.join(tmpdir(), "stillapi-item-"));
  onTestFinished(() => rmSync(content, { recursive: true }));
  writeSingleItems(content, singleItemsContent);
  const { items, cost, files } = await planOf(content, singleItems);
  const all = [...files.all()];
  // And the marker of the out folder.
  expect(cost.files).toBe(all.length + 1);
  const singles = all.filter(({ file }) => file.includes("/item/"));
  expect(singles.map(({ file }) => file)).toContain("api/v1/ports/item/8080.json");
  expect(items.reduce((sum, { files }) => sum + files, 0)).toBe(singles.length);
  const bytes = singles.reduce((sum, { parts }) => sum + Buffer.concat([...parts()]).length, 0);
  expect(items.reduce((sum, folder) => sum + folder.bytes, 0)).toBe(bytes);
  for (const folder of ["api/v1/products/item", "api/v1/releases/item/nodejs", "api/v1/builds/item/go/20"]) {
    const inside = singles.filter(({ file }) => path.dirname(file) === folder);
    expect({ folder, files: cost.folders.get(folder) }).toEqual({ folder, files: inside.length });
  }
  expect(cost.items).toEqual({ name: "/api/v1/releases", amount: 99 });
});
