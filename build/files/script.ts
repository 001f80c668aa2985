// The scripts that an API publishes, as documents.
import { bundled } from "./asset.ts";
import { type Document, lazyDocument, minutes } from "./document.ts";
import { generator } from "./file.ts";

/** A script at a path. A checkout bundles its source when it is asked for. `change` may replace parts of its text. */
export const scriptDocument = (path: string, source: string, change = (text: string) => text): Document =>
  lazyDocument(
    { path, file: path.slice(1), contentType: "text/javascript; charset=utf-8", cacheControl: minutes },
    () => `/* ${generator} */\n\n${change(bundled(source))}`,
  );
