import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { BuildPlan } from "../../build/build.ts";
import { planBuild } from "../../build/build.ts";
import { type DocumentSource, sourceOf as sourceOfBuild } from "../../build/documents/source.ts";
import type { Api } from "../../src/model/api.ts";
import { type Sample, writeSample } from "../check/sample.ts";
import { edgeNetwork } from "../edge-network.ts";

export const temporaryFolder = (): string => mkdtempSync(path.join(tmpdir(), "stillapi-documents-"));

/** Writes a sample to a folder and plans its build. `change` may edit the content before. */
export async function planSample(
  folder: string,
  sample: Sample,
  change?: (folder: string) => void,
): Promise<BuildPlan> {
  writeSample(folder, sample);
  change?.(folder);
  return planOf(folder);
}

export async function planOf(content: string, api: Api = edgeNetwork): Promise<BuildPlan> {
  const [plan, faults] = await planBuild({ api, content, deployment: undefined, hosts: [] });
  if (plan === undefined) throw new Error(`The content has faults: ${JSON.stringify(faults)}`);
  return plan;
}

/** The input of a build's documents. */
export const sourceOf = ({ catalog, deployment, api }: BuildPlan, cursorLifetime = 900): DocumentSource => ({
  ...sourceOfBuild(catalog, deployment, api),
  settings: { ...catalog.settings, cursorLifetime },
  related: [{ path: "/api/v1/docs/network", title: "The network", kind: "Pages" }],
});
