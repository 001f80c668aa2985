// Calls the `load` of collections. What it returns is read like a file of NDJSON that exists only in memory, so that every
// rule for content holds for it.
import type { Api } from "../../src/api.ts";
import { type Checked, DeclarationError, type Diagnostic } from "../diagnostics.ts";
import type { Discovery, FoundFile } from "./discover.ts";

/** The name of the file in memory, relative to the content folder. */
export const loadedFile = (operation: string): string => `${operation}.load.ndjson`;

/** The content with the items that collections load. A `load` that fails is a fault. */
export async function withLoaded(discovery: Discovery, { lists }: Pick<Api, "lists">): Promise<Checked<Discovery>> {
  const faults: Diagnostic[] = [];
  const files: FoundFile[] = [];
  for (const { name, load } of lists) {
    if (load === undefined) continue;
    try {
      const lines = (await load()).map((json) => `${json}\n`);
      if (lines.length > 0) files.push({ file: loadedFile(name), bytes: Buffer.from(lines.join("")) });
    } catch (error) {
      if (!(error instanceof DeclarationError)) throw error;
      faults.push(error.diagnostic);
    }
  }
  return [{ ...discovery, files: [...discovery.files, ...files] }, faults];
}
