import type { Content } from "../../content/content.ts";
import { err, widthOf, wrapped } from "../terminal.ts";

export interface EditorSupport {
  /** Writes the schemas beside the content. */
  readonly onContent: (content: Content) => void;
  /** Why schemas could not be written. Commands continue without them. */
  readonly warnings: readonly string[];
}

export async function supportEditors(folder: string): Promise<EditorSupport> {
  const { editorSchemas } = await import("../editors/schemas.ts");
  const { schemasFolder, writeSchemas } = await import("../editors/write.ts");
  const warnings: string[] = [];
  return {
    warnings,
    onContent(content) {
      if (content.isEmpty) return;
      warnings.splice(0, warnings.length, ...writeSchemas(schemasFolder(folder), editorSchemas(content)));
    },
  };
}

/** Prints the warnings if they have changed since the last call, for a process that builds repeatedly. */
export function warner(warnings: readonly string[]): () => void {
  let last = "";
  return () => {
    const all = warnings.join("\n");
    if (all !== last) printWarnings(warnings);
    last = all;
  };
}

export function printWarnings(warnings: readonly string[]): void {
  for (const warning of warnings)
    process.stderr.write(`${wrapped(`${err.yellow("!")} ${warning}`, widthOf(process.stderr))}\n`);
}
