// JSON Schema 2020-12 of each operation's items, or of its document, for consumers who validate answers.
import { base } from "../../src/operations.ts";
import { type Document, minutes, textDocument } from "../document.ts";
import { generator } from "../generator.ts";
import { answerSchemas, itemName } from "./schemas.ts";
import type { DocumentSource } from "./source.ts";

export function itemSchemas({ operations, settings }: DocumentSource): readonly Document[] {
  const { schemas } = answerSchemas(operations, settings.vocabulary, (name) => `#${name}`);
  return operations.map((operation) => {
    const path = `${base}/schemas/${operation.name}.json`;
    const schema = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      $id: path,
      $comment: generator,
      title: itemName(operation),
      ...schemas[itemName(operation)],
    };
    const about = { path, file: path.slice(1), contentType: "application/schema+json", cacheControl: minutes };
    return textDocument({ ...about, mark: generator }, JSON.stringify(schema));
  });
}
