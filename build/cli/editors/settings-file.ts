// The schema of api.yaml, the settings.

import type { Content } from "../../content/content.ts";
import { type SettingsContent, settingsSchema } from "../../content/settings.ts";
import { type EditorSchema, ownSchema, schemaOf } from "./schema.ts";

/** What each setting does, and its default. */
const meanings: Readonly<Record<keyof SettingsContent, string>> = {
  title: "What the API is called in its reference and in its OpenAPI document.",
  description: "What the API is, in a few sentences, for its consumers.",
  url: "The origin that the API is published at. Without it, the documents name relative addresses.",
  license: "What consumers may do with the data.",
  contact: "Whom consumers can ask.",
  default_deployment: "The deployment that is built where none is asked for, `edge` by default.",
  hosts: "The hosts that commands configure or check the API for without `--host`, `netlify` by default.",
  page_sizes:
    "The values of `limit` that get pages of exactly that size, for all operations or for each: `every` (the default) or a list. A limit between two of a list is answered with the next smaller one.",
  paging:
    "How listings are cut into pages, for all operations or for each. `exact` (the default): every page but the last is full. `stable`: pages may hold up to a fifth fewer items, and an item more or less changes a few of them instead of all that follow.",
  cursor_lifetime:
    "How long a cursor works after the first build that no longer gives it: minutes, hours or days, `15m` by default; 0 for not at all.",
  front_page: "Whether the reference is at the root of the host, too. `true` by default.",
  vocabulary: "The words that are allowed in the content. Without a list, any word of the right form is.",
  additional_countries: "Codes that the content may use besides those of ISO 3166-1, such as XK.",
  client: "The npm package that consumers import the client from. Without it, the reference shows no client.",
};

export function settingsFile({ deploymentNames }: Content): EditorSchema {
  const meaning = (path: string): string | undefined => {
    const [, list] = /^vocabulary\.(\w+)$/.exec(path) ?? [];
    return list === undefined ? (meanings as Readonly<Record<string, string>>)[path] : `The words allowed for ${list}.`;
  };
  const choice = (path: string): EditorSchema | undefined =>
    path !== ("default_deployment" satisfies keyof SettingsContent) ||
    deploymentNames === undefined ||
    deploymentNames.length === 0
      ? undefined
      : { type: "string", enum: deploymentNames, description: "the name of a deployment" };
  const { properties, ...schema } = schemaOf(settingsSchema, { meaning, choice });
  return { title: "settings", ...schema, properties: { ...ownSchema, ...properties } };
}
