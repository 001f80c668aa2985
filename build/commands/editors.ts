import type { Content } from "../content/content.ts";
import { editorSchemas } from "../editors/schemas.ts";
import { schemasFolder, writeSchemas } from "../editors/write.ts";
import { err } from "./terminal.ts";

export interface EditorSupport {
  /** Writes the schemas beside the content. */
  readonly onContent: (content: Content) => void;
  /** Why schemas could not be written, if so: it keeps no command from its work. */
  readonly warnings: readonly string[];
}

export function supportEditors(folder: string): EditorSupport {
  const warnings: string[] = [];
  return {
    warnings,
    onContent(content) {
      if (content.isEmpty) return;
      warnings.splice(0, warnings.length, ...writeSchemas(schemasFolder(folder), editorSchemas(content)));
    },
  };
}

export function printWarnings(warnings: readonly string[]): void {
  for (const warning of warnings) process.stderr.write(`${err.yellow("!")} ${warning}\n`);
}
