// What editors check and complete the files of content with: a schema for each place at the top of the content folder.
import { listOperations } from "../../../src/operations.ts";
import type { Content } from "../../content/content.ts";
import { deploymentFiles } from "./deployment-files.ts";
import { itemFiles } from "./item-files.ts";
import type { EditorSchema } from "./schema.ts";
import { settingsFile } from "./settings-file.ts";

export interface SchemaFile {
  /** In the folder of schemas. */
  readonly file: string;
  readonly text: string;
}

/** Tells this program's schemas from other files. */
export const mark = "Written by edge-api from the content.";

/** The same content gives the same bytes, whatever the order of its files. */
export function editorSchemas(content: Content): readonly SchemaFile[] {
  const items = listOperations.map((operation) => [operation.name, itemFiles(operation, content)] as const);
  return [...items, ["deployments", deploymentFiles(content)] as const, ["api", settingsFile(content)] as const].map(
    ([place, schema]) => ({ file: `${place}.json`, text: printed(schema) }),
  );
}

const printed = (schema: EditorSchema): string =>
  `${JSON.stringify({ $schema: "http://json-schema.org/draft-07/schema#", $comment: mark, ...schema }, null, 1)}\n`;
