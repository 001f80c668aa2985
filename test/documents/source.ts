import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Settings } from "../../build/content/settings/chosen-settings.ts";
import { type Site, siteOf as siteOfBuild } from "../../build/documents/describe/site.ts";
import { documentsOf } from "../../build/documents/documents.ts";
import { publisherTexts } from "../../build/documents/frame/publisher-text.ts";
import type { Document } from "../../build/files/document.ts";
import { openLog } from "../../build/messages.ts";
import type { Addresses } from "../../build/routing/paths.ts";
import type { Changes } from "../../src/answers/answers.ts";
import type { Api } from "../../src/model/api.ts";
import { type Sample, writeSample } from "../check/sample.ts";
import { edgeNetwork } from "../edge-network.ts";
import { planned, type TestPlan } from "../plan.ts";

export const temporaryFolder = (): string => mkdtempSync(path.join(tmpdir(), "stillapi-documents-"));

/** Writes a sample to a folder and plans its build. `change` may edit the content before. */
export async function planSample(folder: string, sample: Sample, change?: (folder: string) => void): Promise<TestPlan> {
  writeSample(folder, sample);
  change?.(folder);
  return planOf(folder);
}

export const planOf = (content: string, api: Api = edgeNetwork): Promise<TestPlan> => planned({ api, content });

interface SiteOptions {
  /** Replace settings of the plan. */
  readonly settings?: Partial<Settings>;
  readonly changes?: Changes | undefined;
  readonly addresses?: Addresses;
}

/** The site of a plan, from which its documents are made. */
export function siteOf(
  { catalog, deployment, listings }: TestPlan,
  { settings, changes, addresses = "queries" }: SiteOptions = {},
): Site {
  const log = openLog();
  const all = { ...catalog.settings, cursorLifetime: 900, ...settings };
  const basis = {
    catalog: { ...catalog, settings: all },
    deployment,
    listings,
    changes,
    maxBytes: Number.POSITIVE_INFINITY,
    addresses,
    texts: publisherTexts(all),
  };
  const site = siteOfBuild(basis, log);
  if (site === undefined) throw new Error(JSON.stringify(log.messages()));
  return site;
}

export const documentsIn = (plan: TestPlan, options?: SiteOptions): readonly Document[] =>
  documentsOf(siteOf(plan, options));
