// The settings by which Visual Studio Code finds the schemas of the files of content.
import type { Api } from "../../../src/api.ts";

interface Place {
  readonly name: string;
  /** The files, without their extensions. */
  readonly files: readonly string[];
}

/**
 * `.vscode/settings.json`, for content in the folder `content` beside it. Files of NDJSON have no schema: editors do not
 * validate their lines.
 */
export function vscodeSettings(api: Api): string {
  const places = placesOf(api);
  const schemaOf = ({ name }: Place) => `./.schemas/${name}.json`;
  const filesOf = ({ files }: Place, ...extensions: readonly string[]) =>
    files.flatMap((file) => extensions.map((extension) => `content/${file}.${extension}`));
  const settings = {
    "yaml.schemas": Object.fromEntries(places.map((place) => [schemaOf(place), filesOf(place, "yaml", "yml")])),
    "json.schemas": places.map((place) => ({ fileMatch: filesOf(place, "json"), url: schemaOf(place) })),
  };
  return `${JSON.stringify(settings, null, 2)}\n`;
}

const placesOf = ({ lists }: Api): readonly Place[] => [
  ...lists.map(({ name }) => ({ name, files: [name, `${name}/**/*`] })),
  { name: "deployments", files: ["deployments/*"] },
  { name: "api", files: ["api"] },
];

/** `.vscode/extensions.json`: the extension that supports schemas for YAML. */
export const vscodeExtensions = (): string =>
  `${JSON.stringify({ recommendations: ["redhat.vscode-yaml"] }, null, 2)}\n`;
