import * as z from "zod";
import { distinctBy, label, timestamp } from "../forms.ts";
import type { DocumentResource, Meanings } from "../resource.ts";
import { type Vocabulary, word } from "../vocabulary.ts";

const apiVersion = "v1";

const component = (vocabulary: Vocabulary) =>
  z.strictObject(
    { name: label, status: word(vocabulary, "status") },
    "an object with the name and status of a component",
  );

/** The form of the status document that the API returns. */
export const statusDocument = (vocabulary: Vocabulary) =>
  z.strictObject(
    {
      status: word(vocabulary, "status"),
      version: z.literal(apiVersion),
      region: label,
      components: distinctBy(component(vocabulary), "name", "a list of components"),
      updated_at: timestamp,
    },
    "an object with the fields of the status document",
  );

/** The status document, as the API returns it. */
export type EdgeStatus = Readonly<z.infer<ReturnType<typeof statusDocument>>>;

/** The form of the status that a publisher writes. It has no version, because the API supplies it. */
const statusContent = (vocabulary: Vocabulary) => statusDocument(vocabulary).omit({ version: true });

type StatusContent = Readonly<z.infer<ReturnType<typeof statusContent>>>;

const statusOf = (content: StatusContent): EdgeStatus => ({
  status: content.status,
  version: apiVersion,
  region: content.region,
  components: content.components,
  updated_at: content.updated_at,
});

const meanings: Meanings<EdgeStatus> = {
  status: "Overall state of the service.",
  version: "Version of the API, as in its paths.",
  region: "Where the service runs.",
  components: "The parts of the service.",
  "components[].name": "Display name of the component.",
  "components[].status": "Current state of the component.",
  updated_at: "When the status was last updated.",
};

export const status: DocumentResource<EdgeStatus> = {
  meaning: "The state of the service and its components.",
  meanings,
  content: statusContent,
  schema: statusDocument,
  documentOf: statusOf,
  example: {
    status: "operational",
    region: "London",
    components: [{ name: "API", status: "operational" }],
    updated_at: "2026-01-01T00:00:00Z",
  },
};
