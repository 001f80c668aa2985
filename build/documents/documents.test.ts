import { rmSync } from "node:fs";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { documentsIn, planSample, sourceOf, temporaryFolder } from "../../test/documents/source.ts";
import { lineOf } from "../../test/plan.ts";
import { lengthOf } from "../files/document.ts";
import { inDeclaration, openLog } from "../messages.ts";
import { documentsOf } from "./documents.ts";
import type { DocumentSource } from "./source.ts";

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true }));

/** A source whose declaration has known places. */
async function placedSource(): Promise<DocumentSource> {
  const source = sourceOf(await planSample(path.join(folder, "content"), { count: 30, pageSizes: "every" }));
  const lists = source.api.lists.map((list) => ({
    ...list,
    placeOf: (option: string) => ({ ...inDeclaration, file: `${list.name} ${option}` }),
  }));
  return { ...source, api: { ...source.api, lists } };
}

it("leaves out a dump that is larger than a file may be, and warns of it at the schema of its collection", async () => {
  const source = await placedSource();
  const all = documentsIn(source);
  const [largest] = all
    .filter(({ path }) => path.startsWith("/api/v1/dumps/"))
    .sort((one, other) => lengthOf(other) - lengthOf(one));
  if (largest === undefined) throw new Error("There is no dump.");
  const log = openLog();
  const documents = documentsOf(source, lengthOf(largest) - 1, log) ?? [];
  const paths = documents.map(({ path }) => path);
  expect(all.map(({ path }) => path).filter((path) => !paths.includes(path))).toEqual([largest.path]);
  // No page and no description names it either.
  for (const { path, parts } of documents) expect(`${path} ${Buffer.concat(parts())}`).not.toContain(largest.path);
  const name = path.basename(largest.path, ".ndjson");
  const bytes = (lengthOf(largest) - 1).toLocaleString("en-US");
  expect(log.messages().shown.map(lineOf)).toEqual([
    `${name} schema:1:1 dump-left-out The dump of ${name} is left out: a host takes no files of more than ${bytes} bytes.`,
  ]);
});
