import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, it } from "vitest";
import { edgeNetwork } from "../edge-network/index.ts";

const { operations } = edgeNetwork;

/** The limit for the specification's six operations; each further one adds its order. */
const allowed = 2_000 + 40 * Math.max(0, operations.length - 6);

it("is bundled for browsers into less than 2 kB, from the contract's modules only", async () => {
  const { outputFiles, metafile } = await build({
    entryPoints: ["src/client.ts"],
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    platform: "browser",
    metafile: true,
    write: false,
  });
  const own = /^src\/(?:client|client\/[a-z-]+)\.ts$/;
  expect(Object.keys(metafile.inputs).filter((file) => !own.test(file))).toEqual([]);
  const [script] = outputFiles;
  expect(gzipSync(script?.contents ?? "", { level: 9 }).length).toBeLessThan(allowed);
});
