// Plans of builds that follow one another, without files of pages.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { planCatalogs } from "../../build/build.ts";
import { chooseDeployment } from "../../build/content/settings/deployments.ts";
import { bytesOf } from "../../build/files/file.ts";
import type { HostAdapter } from "../../build/hosts/host.ts";
import { openLog } from "../../build/messages.ts";
import type { Api } from "../../src/model/api.ts";
import { discovered } from "../content/folder.ts";
import { compiled, lineOf, planOfOne, type TestPlan } from "../plan.ts";

/** What a build leaves for the next one, by file. */
export type LeftState = ReadonlyMap<string, Uint8Array>;

export interface Planned {
  /** A line each, but for fields that are not described. */
  readonly warnings: readonly string[];
  readonly plan: TestPlan;
  readonly state: LeftState;
  /** By file, as the state. */
  readonly dumps: LeftState;
}

/** The build of content, by file, after the build that left `before`; `now` in seconds since 1970. */
export async function planAfter(
  api: Api,
  content: Readonly<Record<string, string>>,
  before: LeftState,
  now: number,
  hosts: readonly HostAdapter[] = [],
  forgotten: readonly string[] = [],
): Promise<Planned> {
  const catalog = compiled(discovered(content), api);
  const from = mkdtempSync(path.join(tmpdir(), "stillapi-state-"));
  for (const [file, bytes] of before) {
    mkdirSync(path.dirname(path.join(from, file)), { recursive: true });
    writeFileSync(path.join(from, file), bytes);
  }
  const log = openLog();
  const options = {
    content: "content",
    hosts,
    today: "2026-01-01",
    history: { from, now, forgotten },
  };
  const build = await planCatalogs([{ catalog, deployment: chooseDeployment(catalog, undefined) }], options, log);
  rmSync(from, { recursive: true });
  const { shown } = log.messages();
  if (build === undefined) throw new Error(JSON.stringify(shown));
  const plan = planOfOne(build);
  const filesIn = (pattern: RegExp): LeftState =>
    new Map(
      plan.documents.filter(({ file }) => pattern.test(file)).map((document) => [document.file, bytesOf(document)]),
    );
  return {
    plan,
    state: filesIn(/\/cursors\.json$/),
    dumps: filesIn(/\/dumps\//),
    warnings: shown.filter(({ code }) => code !== "undescribed").map(lineOf),
  };
}
