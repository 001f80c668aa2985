// A collection and a document that only tests have. They show what a further operation takes.
import * as z from "zod";
import { defineCollection, defineDocument } from "../../src/declare.ts";
import { id, label, time } from "../../src/forms.ts";
import { reference } from "../../src/marks.ts";

export const incidents = defineCollection({
  purpose: "Incidents.",
  noun: { one: "incident", many: "incidents" },
  schema: z
    .strictObject({
      id: id("inc").describe("Names the incident."),
      created_at: time.describe("When it began."),
      region: reference("regions").describe("Where it was."),
      title: label.describe("What it was."),
    })
    .meta({
      title: "Incident",
      description: "Something that went wrong.",
      examples: [{ id: "inc_0000", created_at: "2026-01-01T00:00:00Z", region: "lhr1", title: "Überlastung ☃" }],
    }),
  key: "id",
  order: ["created_at"],
  filters: { where_in_the_edge_network_it_was: "region" },
  cache: "public, max-age=30",
});

export const notice = defineDocument({
  purpose: "A notice.",
  schema: z
    .strictObject({
      object: z.literal("notice").describe("Always notice."),
      text: label.describe("What there is to say."),
    })
    .meta({ description: "What the publisher wants to say.", examples: [{ object: "notice", text: "Hello." }] }),
  cache: "public, max-age=5",
});
