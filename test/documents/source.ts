import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { BuildPlan } from "../../build/build.ts";
import { documentsOf } from "../../build/documents/documents.ts";
import { type DocumentSource, sourceOf as sourceOfBuild } from "../../build/documents/source.ts";
import type { Document } from "../../build/files/document.ts";
import { openLog } from "../../build/messages.ts";
import type { Api } from "../../src/model/api.ts";
import { type Sample, writeSample } from "../check/sample.ts";
import { edgeNetwork } from "../edge-network.ts";
import { planned } from "../plan.ts";

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

export const planOf = (content: string, api: Api = edgeNetwork): Promise<BuildPlan> => planned({ api, content });

/** The input of a build's documents. */
export const sourceOf = ({ catalog, deployment, api }: BuildPlan, cursorLifetime = 900): DocumentSource => ({
  ...sourceOfBuild(catalog, deployment, api),
  settings: { ...catalog.settings, cursorLifetime },
  related: [{ path: "/api/v1/docs/network", title: "The network", kind: "Pages" }],
});

/** The documents of an API, large dumps too. */
export function documentsIn(source: DocumentSource): readonly Document[] {
  const log = openLog();
  const documents = documentsOf(source, Number.POSITIVE_INFINITY, log);
  if (documents === undefined) throw new Error(JSON.stringify(log.messages()));
  return documents;
}
