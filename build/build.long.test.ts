import { createHash } from "node:crypto";
import path from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { stringify } from "yaml";
import { writeSample } from "../test/check/sample.ts";
import { edgeNetwork } from "../test/edge-network.ts";
import { contentsOf, lay, temporaryFolder } from "../test/output/folder.ts";
import { built, contentOf } from "../test/plan.ts";
import { rounds } from "../test/seed.ts";
import { allItems } from "./content/table/items.ts";
import { hosts } from "./hosts/hosts.ts";

/** All hosts whose files do not conflict; others read Netlify's. */
const together = [...hosts.values()].filter(({ name }) => name !== "netlify");

async function buildHere(content: string, out: string): Promise<void> {
  await built({ api: edgeNetwork, content, out, hosts: together });
}

/** A hash of all names and bytes in a folder. */
const hashOf = (folder: string): string =>
  createHash("sha256")
    .update(JSON.stringify(contentsOf(folder)))
    .digest("hex");

it("gives the same bytes whatever files its items are in, in whatever order and format", async () => {
  const content = path.join(temporaryFolder(), "content");
  writeSample(content, { count: 60, pageSizes: [25, 100] });
  const out = path.join(temporaryFolder(), "dist");
  await buildHere(content, out);
  const expected = hashOf(out);
  const catalog = await contentOf(content, edgeNetwork);
  const settings = Object.entries(contentsOf(content)).filter(([file]) => /^(?:api\.yaml|deployments\/.*)$/.test(file));

  const formats = {
    json: (list: readonly unknown[]) => JSON.stringify(list),
    ndjson: (list: readonly unknown[]) => list.map((item) => `${JSON.stringify(item)}\n`).join(""),
    yaml: (list: readonly unknown[]) => stringify(list),
  };
  const format = fc.constantFrom(...(["json", "ndjson", "yaml"] as const));
  const filesOf = (operation: string, list: readonly unknown[]) =>
    fc
      .tuple(
        fc.shuffledSubarray([...list], { minLength: list.length }),
        fc.array(fc.record({ format, name: fc.stringMatching(/^[a-z]{1,3}$/), share: fc.nat(99) }), { maxLength: 4 }),
        format,
      )
      .map(([shuffled, parts, last]) => {
        const rest = [...shuffled];
        const files: Record<string, string> = {};
        for (const [index, { format, name, share }] of parts.entries()) {
          const some = rest.splice(0, Math.ceil((rest.length * share) / 100));
          if (some.length > 0) files[`${operation}/${name}/${index}.${format}`] = formats[format](some);
        }
        if (rest.length > 0) files[`${operation}.${last}`] = formats[last](rest);
        return files;
      });
  const trees = fc.tuple(...[...catalog.items].map(([operation, list]) => filesOf(operation, allItems(list))));
  await fc.assert(
    fc.asyncProperty(trees, async (tree) => {
      const parent = temporaryFolder();
      lay(path.join(parent, "content"), Object.assign({}, Object.fromEntries(settings), ...tree));
      await buildHere(path.join(parent, "content"), path.join(parent, "dist"));
      expect(hashOf(path.join(parent, "dist"))).toBe(expected);
    }),
    { numRuns: 2 * rounds },
  );
});
