// Resources that only tests have. They show what a further operation takes.
import * as z from "zod";
import { idOf, label, regionCode, timestamp } from "../../src/forms.ts";
import type { DocumentResource, Meanings, Resource } from "../../src/resource.ts";

const incidentSchema = z.strictObject({ id: idOf("inc"), created_at: timestamp, region: regionCode, title: label });

const meanings: Meanings<z.infer<typeof incidentSchema>> = {
  id: "Names the incident.",
  created_at: "When it began.",
  region: "Where it was.",
  title: "What it was.",
};

export const incident: Resource<z.infer<typeof incidentSchema>> = {
  noun: "incident",
  meaning: "Something that went wrong.",
  meanings,
  key: "id",
  schema: () => incidentSchema,
  references: [{ field: "region", to: "regions" }],
  example: { id: "inc_0000", created_at: "2026-01-01T00:00:00Z", region: "lhr1", title: "Überlastung ☃" },
};

const content = z.strictObject({ text: label });

export const notice: DocumentResource = {
  meaning: "What the publisher wants to say.",
  meanings: { object: "Always notice.", text: "What there is to say." },
  content: () => content,
  schema: () => content.extend({ object: z.literal("notice") }),
  documentOf: ({ text }) => ({ object: "notice", text }),
  example: { text: "Hello." },
};
