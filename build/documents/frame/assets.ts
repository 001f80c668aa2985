// What all pages load: a stylesheet, a script, an icon and the pictures of the publisher.
import { bundled } from "../../files/asset.ts";
import { type Document, minutes, textDocument } from "../../files/document.ts";
import { generator } from "../../files/file.ts";
import { svgType } from "../../files/media-type.ts";
import { scriptDocument } from "../../files/script.ts";
import { documentPaths } from "../describe/addresses.ts";
import type { Site } from "../describe/site.ts";

export function pageAssets(site: Site): readonly Document[] {
  const { api, settings } = site;
  const { style, script, icon } = documentPaths(api.base);
  return [
    textDocument(style, "text/css", `/* ${generator} */\n\n${stylesheet(site)}`),
    scriptDocument(script, "documents/browser/page.ts"),
    textDocument(icon, svgType, iconOf(settings.accent ?? usualAccent)),
    ...picturesOf(site),
  ];
}

/** As in frame.css. */
const usualAccent = "#0a5bc2";
const usualAccentDark = "#7db8ff";

/** The rules of all pages, and the publisher's colours, which are in no layer. */
function stylesheet({ settings: { accent, accent_dark: accentDark } }: Site): string {
  const rules = bundled("documents/frame/style.css");
  if (accent === undefined && accentDark === undefined) return rules;
  return `${rules}:root{--accent:light-dark(${accent ?? usualAccent},${accentDark ?? usualAccentDark});--tint:color-mix(in srgb,var(--accent) 10%,var(--ground))}\n`;
}

function picturesOf({ api: { base }, settings: { logo, card } }: Site): readonly Document[] {
  return [logo, card].flatMap((picture) => {
    if (picture === undefined) return [];
    const { file, bytes } = picture;
    const path = `${base}/docs/${file}`;
    const contentType = file.endsWith(".svg") ? svgType : "image/png";
    return [
      { path, file: path.slice(1), contentType, cacheControl: minutes, length: bytes.length, parts: () => [bytes] },
    ];
  });
}

/** Without an icon, browsers request a favicon that the host does not have. */
const iconOf = (
  colour: string,
): string => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><!-- ${generator} --><rect width="32" height="32" rx="8" fill="${colour}"/><g fill="none" stroke="#fff" stroke-width="2.5"><circle cx="16" cy="16" r="9"/><path d="M7 16h18M16 7c-6 5-6 13 0 18M16 7c6 5 6 13 0 18"/></g></svg>
`;
