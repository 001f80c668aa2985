import type { Content } from "../../content/content.ts";
import { err, wrapped } from "../terminal.ts";

export interface EditorSupport {
  /** Writes the schemas beside the content. */
  readonly onContent: (content: Content) => void;
  /** Why schemas could not be written, if so: it keeps no command from its work. */
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

/** Prints the warnings where they are others than when it was called before, for a process that builds again and again. */
export function warner(warnings: readonly string[]): () => void {
  let last = "";
  return () => {
    const all = warnings.join("\n");
    if (all !== last) printWarnings(warnings);
    last = all;
  };
}

export function printWarnings(warnings: readonly string[]): void {
  for (const warning of warnings) process.stderr.write(`${wrapped(`${err.yellow("!")} ${warning}`, process.stderr)}\n`);
}
