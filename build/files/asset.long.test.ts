import { spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";

it("bundles a module even if the folder in which the process started is gone", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "stillapi-asset-"));
  const script = `
    import { rmdirSync } from "node:fs";
    process.chdir(${JSON.stringify(folder)});
    const { bundled } = await import(${JSON.stringify(pathToFileURL("build/files/asset.ts"))});
    process.chdir(${JSON.stringify(process.cwd())});
    rmdirSync(${JSON.stringify(folder)});
    console.log(bundled("hosts/cloudflare/script.ts").includes("ASSETS"));`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--import", "tsx", "--input-type=module", "--eval", script], {
    encoding: "utf8",
  });
  expect({ stdout, stderr }).toEqual({ stdout: "true\n", stderr: "" });
});
