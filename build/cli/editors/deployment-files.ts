// The schema of a deployment's file: its operations and the content of its documents.
import { documentOperations, operations } from "../../../src/operations.ts";
import type { Content } from "../../content/content.ts";
import { deploymentSchema } from "../../content/deployments.ts";
import { type EditorSchema, ownSchema, schemaOf } from "./schema.ts";

export function deploymentFiles({ settings }: Content): EditorSchema {
  const choice = (path: string): EditorSchema | undefined =>
    path === "operations[]"
      ? {
          enum: operations.map(({ name }) => name),
          enumDescriptions: operations.map(({ purpose }) => purpose),
          description: "the name of an operation",
        }
      : undefined;
  const example = Object.fromEntries(documentOperations.map(({ name, resource }) => [name, resource.example]));
  const schema = deploymentSchema(settings.vocabulary);
  const { properties, ...object } = schemaOf(schema, { meaning, choice }, example);
  return { title: "deployment", ...object, properties: { ...ownSchema, ...properties } };
}

function meaning(path: string): string | undefined {
  if (path === "") return "What one host answers. Its name is that of the file.";
  if (path === "operations") return "The operations that the host answers.";
  const document = documentOperations.find(({ name }) => path === name || path.startsWith(`${name}.`));
  if (document === undefined) return undefined;
  const { name, resource } = document;
  return path === name ? resource.meaning : resource.meanings[path.slice(name.length + 1)];
}
