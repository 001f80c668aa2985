// The settings by which Visual Studio Code finds the schemas of the files of content.
import type { Api } from "../../../src/api.ts";
import { isWritten, type ListOperation } from "../../../src/operation.ts";
import { plainGlobs } from "../../content/globs.ts";

type Place = Pick<ListOperation, "name" | "files">;

/**
 * `.vscode/settings.json`, for content in the folder `content` beside it. Files of NDJSON have no schema: editors do not
 * validate their lines.
 */
export function vscodeSettings(api: Api): string {
  const schemaOf = ({ name }: Place) => `./.schemas/${name}.json`;
  const filesOf = (place: Place, ...extensions: readonly string[]) =>
    plainGlobs(place, extensions).map((glob) => `content/${glob}`);
  const places = placesOf(api).filter((place) => filesOf(place, "yaml", "yml", "json").length > 0);
  const settings = {
    "yaml.schemas": Object.fromEntries(places.map((place) => [schemaOf(place), filesOf(place, "yaml", "yml")])),
    "json.schemas": places.map((place) => ({ fileMatch: filesOf(place, "json"), url: schemaOf(place) })),
  };
  return `${JSON.stringify(settings, null, 2)}\n`;
}

/** A collection whose files hold no items as they are answered has no schema. */
const placesOf = ({ lists }: Api): readonly Place[] => [
  ...lists.filter(isWritten),
  { name: "deployments", files: ["deployments/*"] },
  { name: "api", files: ["api.*"] },
];

/** `.vscode/extensions.json`: the extension that supports schemas for YAML. */
export const vscodeExtensions = (): string =>
  `${JSON.stringify({ recommendations: ["redhat.vscode-yaml"] }, null, 2)}\n`;
