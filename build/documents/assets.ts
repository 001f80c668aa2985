// The stylesheet, scripts and images that all pages share.
import { asset, bundle } from "../asset.ts";
import { tintOf } from "../colour.ts";
import { type Document, lazyDocument, minutes, textDocument } from "../document.ts";
import { generator } from "../generator.ts";
import { type DocumentSource, dataPagePath, documentPaths } from "./source.ts";

export function sharedAssets(source: DocumentSource): readonly Document[] {
  const { api, settings } = source;
  const { style, script, tableScript, itemsScript, icon } = documentPaths(api.base);
  const hasTables = api.lists.some((list) => dataPagePath(source, list) !== undefined);
  return [
    textDocument(style, "text/css", `/* ${generator} */\n\n${stylesheet(source)}`),
    scriptDocument(script, "page"),
    ...(hasTables ? [scriptDocument(tableScript, "table"), scriptDocument(itemsScript, "table-items")] : []),
    textDocument(icon, "image/svg+xml", iconOf(settings.accent?.light ?? "#0a5bc2")),
    ...logoOf(source),
  ];
}

/** A checkout bundles a script when it is asked for. */
const scriptDocument = (path: string, module: string): Document =>
  lazyDocument(
    { path, file: path.slice(1), contentType: "text/javascript; charset=utf-8", cacheControl: minutes },
    () => `/* ${generator} */\n\n${bundle(`documents/browser/${module}`)}`,
  );

/** The rules for all pages, then the rules of the declared pages, then the rules for paper. */
function stylesheet({ api: { pages }, settings: { accent } }: DocumentSource): string {
  const styles = pages.flatMap(({ style }) => (style === "" ? [] : [`${style.trimEnd()}\n`])).join("\n");
  const whole = asset("documents/style.css").replace("/* The styles of the API's pages. */\n", () => styles);
  if (accent === undefined) return whole;
  const { light, dark } = accent;
  return whole
    .replace(/--accent: [^;]+;/, `--accent: light-dark(${light}, ${dark});`)
    .replace(/--tint: [^;]+;/, `--tint: light-dark(${tintOf(light, "light")}, ${tintOf(dark, "dark")});`);
}

function logoOf({ api: { base }, settings: { logo } }: DocumentSource): readonly Document[] {
  if (logo === undefined) return [];
  const path = `${base}/docs/${logo.file}`;
  const contentType = logo.file === "logo.png" ? "image/png" : "image/svg+xml";
  return [{ path, file: path.slice(1), contentType, cacheControl: minutes, parts: () => [logo.bytes] }];
}

/** Without an icon, browsers request a favicon that the host does not have. */
const iconOf = (
  colour: string,
): string => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><!-- ${generator} --><rect width="32" height="32" rx="8" fill="${colour}"/><g fill="none" stroke="#fff" stroke-width="2.5"><circle cx="16" cy="16" r="9"/><path d="M7 16h18M16 7c-6 5-6 13 0 18M16 7c6 5 6 13 0 18"/></g></svg>
`;
