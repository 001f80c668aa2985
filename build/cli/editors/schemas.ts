// The schemas by which editors validate and complete the files of the content: one for each resource, one for deployments
// and one for api.yaml.
import type { Api } from "../../../src/api.ts";
import { isWritten } from "../../../src/operation.ts";
import type { Content } from "../../content/content.ts";
import { deploymentSchema } from "../../content/deployments.ts";
import { type SettingsContent, settingsSchema } from "../../content/settings.ts";
import { itemFiles } from "./item-files.ts";
import { type EditorSchema, ownSchema, schemaOf } from "./schema.ts";

export interface SchemaFile {
  /** In the folder of schemas. */
  readonly file: string;
  readonly text: string;
}

/** Identifies the schemas that this program has written. */
export const mark = "Written by stillapi from the content.";

/** The same content produces the same bytes, whatever the order of its files. */
export function editorSchemas(content: Content): readonly SchemaFile[] {
  const items = content.api.lists
    .filter(isWritten)
    .map((operation) => [operation.name, itemFiles(operation, content)] as const);
  return [...items, ["deployments", deploymentFiles(content)] as const, ["api", settingsFile(content)] as const].map(
    ([place, schema]) => ({ file: `${place}.json`, text: printed(schema) }),
  );
}

const printed = (schema: EditorSchema): string =>
  `${JSON.stringify({ $schema: "http://json-schema.org/draft-07/schema#", $comment: mark, ...schema }, null, 1)}\n`;

function deploymentFiles({ api, settings }: Content): EditorSchema {
  const choice = (path: string): EditorSchema | undefined =>
    path === "operations[]"
      ? {
          enum: api.operations.map(({ name }) => name),
          enumDescriptions: api.operations.map(({ purpose }) => purpose),
          description: "the name of an operation",
        }
      : undefined;
  const example = Object.fromEntries(api.documents.map(({ name, resource }) => [name, resource.example]));
  const schema = deploymentSchema(api, settings.vocabulary);
  const { properties, ...object } = schemaOf(
    schema,
    { meaning: (path) => meaningInDeployment(api, path), choice },
    example,
  );
  return { title: "deployment", ...object, properties: { ...ownSchema, ...properties } };
}

function meaningInDeployment({ documents }: Api, path: string): string | undefined {
  if (path === "") return "The operations and documents of one build. The file has the name of the deployment.";
  if (path === "operations") return "The operations that are answered.";
  const document = documents.find(({ name }) => path === name || path.startsWith(`${name}.`));
  if (document === undefined) return undefined;
  const { name, resource } = document;
  return path === name ? resource.meaning : resource.meanings[path.slice(name.length + 1)];
}

/** The effect of each setting, and its default. */
const settingMeanings: Readonly<Record<keyof SettingsContent, string>> = {
  title: "The title of the API in its reference and in its OpenAPI document.",
  description: "A description of the API in a few sentences, for its consumers.",
  url: "The origin of the published API. Without it, the documents have relative addresses.",
  license: "The license of the data.",
  contact: "The contact for consumers.",
  default_deployment: "The deployment that is built if none is named, `edge` by default.",
  hosts: "The hosts that commands use without `--host`, `netlify` by default.",
  page_sizes:
    "The values of `limit` that have pages of exactly that size, for all operations or for each: `every` (the default) or a list. Another limit is answered with the next smaller size.",
  paging:
    "How listings are cut into pages, for all operations or for each. `exact` (the default): every page but the last is full. `stable`: pages may hold up to a fifth fewer items, and an inserted or deleted item changes a few pages instead of all that follow.",
  cursor_lifetime:
    "How long a cursor works after the first build that no longer returns it: minutes, hours or days, `15m` by default; 0 for not at all.",
  front_page: "Whether the root of the host also shows the reference. `true` by default.",
  vocabulary: "The words that the content may use. Without a list, any word of the right form is valid.",
  additional_countries: "Codes that the content may use besides those of ISO 3166-1, such as XK.",
  client: "The npm package that consumers import the client from. Without it, the reference shows no client.",
  changelog: "The address of the list of changes, to which the reference links.",
  logo: "The logo on the pages, a file of the content folder.",
  accent:
    "The colour of links and buttons. Its contrast to the pages is at least 4.5:1. From a single colour, that for dark pages is derived.",
};

function settingsFile({ api, deploymentNames }: Content): EditorSchema {
  const meaning = (path: string): string | undefined => {
    const [, list] = /^vocabulary\.(\w+)$/.exec(path) ?? [];
    return list === undefined
      ? (settingMeanings as Readonly<Record<string, string>>)[path]
      : `The words allowed for ${list}.`;
  };
  const choice = (path: string): EditorSchema | undefined =>
    path !== ("default_deployment" satisfies keyof SettingsContent) ||
    deploymentNames === undefined ||
    deploymentNames.length === 0
      ? undefined
      : { type: "string", enum: deploymentNames, description: "the name of a deployment" };
  const { properties, ...schema } = schemaOf(settingsSchema(api), { meaning, choice });
  return { title: "settings", ...schema, properties: { ...ownSchema, ...properties } };
}
