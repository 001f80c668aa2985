import { rmSync } from "node:fs";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { planSample, temporaryFolder } from "../../test/documents/source.ts";
import { lineOf } from "../../test/plan.ts";
import { inDeclaration, openLog } from "../messages.ts";
import { type SiteBasis, siteOf } from "./describe/site.ts";
import { documentsOf } from "./documents.ts";

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true }));

/** Of a declaration with places. */
async function basisOf(maxBytes: number): Promise<SiteBasis> {
  const sample = { count: 30, pageSizes: "every" } as const;
  const { catalog, deployment, listings } = await planSample(path.join(folder, "content"), sample);
  const operations = catalog.api.operations.map((operation) => {
    const placeOf = (option: string) => ({ ...inDeclaration, file: `${operation.name} ${option}` });
    return { ...operation, placeOf };
  });
  return {
    catalog: { ...catalog, api: { ...catalog.api, operations } },
    deployment,
    listings,
    changes: undefined,
    maxBytes,
    addresses: "queries" as const,
    texts: {},
  };
}

/** The documents, and the messages about them. */
async function documentsWith(maxBytes: number) {
  const log = openLog();
  const site = siteOf(await basisOf(maxBytes), log);
  if (site === undefined) throw new Error("A page fails.");
  return { documents: documentsOf(site), messages: log.messages().shown.map(lineOf) };
}

it("leaves out a dump that is larger than a file may be, and warns of it at the schema of its collection", async () => {
  const { documents: all } = await documentsWith(Number.POSITIVE_INFINITY);
  const [largest] = all
    .filter(({ path }) => path.startsWith("/api/v1/dumps/"))
    .sort((one, other) => other.length - one.length);
  if (largest === undefined) throw new Error("There is no dump.");
  const { documents, messages } = await documentsWith(largest.length - 1);
  const paths = documents.map(({ path }) => path);
  expect(all.map(({ path }) => path).filter((path) => !paths.includes(path))).toEqual([largest.path]);
  // No page and no description names it either.
  for (const { path, parts } of documents) expect(`${path} ${Buffer.concat([...parts()])}`).not.toContain(largest.path);
  const name = path.basename(largest.path, ".ndjson");
  const bytes = (largest.length - 1).toLocaleString("en-US");
  expect(messages).toEqual([
    `${name} schema:1:1 dump-left-out The dump of ${name} is left out: a host takes no files of more than ${bytes} bytes.`,
  ]);
});
