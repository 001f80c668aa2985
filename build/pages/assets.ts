// The files beside the data, as the API publishes them: at BASE/files/PATH, as they are. The routing table has an entry for
// each ending and depth of folders, not for each file.

import { addressDigest, assetsFolder } from "../../src/model/api.ts";
import type { Asset, Catalog, Deployment } from "../content/catalog.ts";
import type { OutputFile } from "../files/file.ts";
import { contentTypeFor, svgType } from "../files/media-type.ts";
import type { TableDocument } from "../routing/table.ts";
import { groupBy } from "../values/group-by.ts";
import { once } from "../values/once.ts";
import { type RouteFiles, sumOf } from "./cost.ts";

/** The files beside the data that one entry of the routing table answers. */
export interface AssetFiles extends RouteFiles {
  readonly route: TableDocument;
}

/** The files that the items of a deployment name. */
export function assetFilesOf({ api, assets }: Catalog, { operations }: Deployment): readonly AssetFiles[] {
  const byName = new Map<string, Asset>();
  for (const name of operations) for (const [file, asset] of assets?.get(name) ?? []) byName.set(file, asset);
  const sorted = [...byName.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  const groups = groupBy(sorted, ({ path }) => patternOf(path));
  return [...groups].map(([pattern, all]) => filesAt(`${api.base}/${assetsFolder}/${pattern}`, api, all));
}

/** `photos/2026/a.jpg` is a file of `{part1}/{part2}/{part3}.jpg`. */
function patternOf(file: string): string {
  const parts = file.split("/").map((_, index) => `{part${index + 1}}`);
  const [ending = ""] = /\.[^./]+$/.exec(file) ?? [];
  return parts.join("/") + ending;
}

/**
 * An SVG that is opened at its own address runs nothing and loads nothing, as in a page that shows it as a picture. Its
 * styles, and the pictures and fonts within it, are shown.
 */
const svgHeaders = {
  "Content-Security-Policy": "default-src 'none'; img-src data:; font-src data:; style-src 'unsafe-inline'; sandbox",
};

function filesAt(path: string, { base, filesCache }: Catalog["api"], assets: readonly [Asset, ...Asset[]]): AssetFiles {
  const files = assets.map(
    ({ path, size, parts, digest }): OutputFile => ({
      file: `${base.slice(1)}/${assetsFolder}/${path}`,
      length: size,
      digest: () => addressDigest(digest()),
      parts,
    }),
  );
  const byFile = once(() => new Map(files.map((one) => [one.file, one])));
  // The ending of the path determines the type.
  const { content_type: type } = assets[0].facts;
  const headers = type === svgType ? { headers: svgHeaders } : {};
  return {
    ...sumOf(path, files),
    route: { path, file: path.slice(1), contentType: contentTypeFor(type), cacheControl: filesCache, ...headers },
    all: () => files,
    find: (file) => byFile().get(file),
  };
}
