// The scripts that the API publishes, as documents.
import { bundled } from "../files/asset.ts";
import { type Document, lazyDocument, minutes } from "../files/document.ts";
import { generator } from "../files/file.ts";

/** A module of browser/ at a path. A checkout bundles it when it is asked for. `change` may replace parts of its text. */
export const scriptDocument = (path: string, module: string, change = (text: string) => text): Document =>
  lazyDocument(
    { path, file: path.slice(1), contentType: "text/javascript; charset=utf-8", cacheControl: minutes },
    () => `/* ${generator} */\n\n${change(bundled(`documents/browser/${module}.ts`))}`,
  );
