import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, it } from "vitest";

it("is bundled for browsers into less than 6 kB, without other modules", async () => {
  const { outputFiles, metafile } = await build({
    absWorkingDir: process.cwd(),
    entryPoints: ["src/answers/client.ts"],
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    platform: "browser",
    metafile: true,
    write: false,
  });
  const own = /^src\/(?:answers\/(?:answers|client|client\/[a-z-]+)|model\/(?:fields|text-order))\.ts$/;
  expect(Object.keys(metafile.inputs).filter((file) => !own.test(file))).toEqual([]);
  const [script] = outputFiles;
  expect(gzipSync(script?.contents ?? "", { level: 9 }).length).toBeLessThan(6_000);
});
