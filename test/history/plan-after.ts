// Plans of builds that follow one another, without files of pages.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type BuildPlan, planCatalog } from "../../build/build.ts";
import { compileContent } from "../../build/content/content.ts";
import { chooseDeployment } from "../../build/content/deployments.ts";
import { documentFile } from "../../build/files/document.ts";
import { bytesOf } from "../../build/files/file.ts";
import type { HostAdapter } from "../../build/hosts/host.ts";
import type { Api } from "../../src/model/api.ts";
import { discovered } from "../content/folder.ts";

/** What a build leaves for the next one, by file. */
export type LeftState = ReadonlyMap<string, Uint8Array>;

export interface Planned {
  readonly plan: BuildPlan;
  readonly state: LeftState;
}

/** The build of content, by file, after the build that left `before`; `now` in seconds since 1970. */
export async function planAfter(
  api: Api,
  content: Readonly<Record<string, string>>,
  before: LeftState,
  now: number,
  hosts: readonly HostAdapter[] = [],
): Promise<Planned> {
  const [catalog, faults] = compileContent(discovered(content), api);
  if (faults.length > 0) throw new Error(JSON.stringify(faults));
  const from = mkdtempSync(path.join(tmpdir(), "stillapi-state-"));
  for (const [file, bytes] of before) {
    mkdirSync(path.dirname(path.join(from, file)), { recursive: true });
    writeFileSync(path.join(from, file), bytes);
  }
  const [plan, refused] = await planCatalog(catalog, chooseDeployment(catalog, undefined), {
    hosts,
    root: "content",
    history: { from, now, isExpected: false },
  });
  rmSync(from, { recursive: true });
  if (plan === undefined) throw new Error(JSON.stringify(refused));
  const state = plan.documents.filter(({ file }) => file.endsWith("/cursors.json"));
  return { plan, state: new Map(state.map((document) => [document.file, bytesOf(documentFile(document))])) };
}
