// The media types of the package mime-db: two collections, one of which lists keys of the other.
import source from "mime-db/db.json" with { type: "json" };
import { defineApi, defineCollection, reference } from "stillapi";
import { count, form, label } from "stillapi/forms";
import * as z from "zod";

interface Entry {
  readonly source?: string;
  readonly charset?: string;
  readonly compressible?: boolean;
  readonly extensions?: readonly string[];
}

const entries = Object.entries<Entry>(source);

/** A key is a part of paths, so it has neither slashes nor plus signs. */
const keyOf = (name: string): string => name.replace("/", ".").replaceAll("+", "_");

const extension = form(/^[a-z0-9][a-z0-9._-]*$/, "the ending of a file name, without the dot", "json");

const types = defineCollection({
  purpose: "Media types, by name.",
  noun: { one: "media type", many: "media types" },
  schema: z
    .strictObject({
      id: form(/^[\w.-]+$/, "a media type with . and _ in place of / and +", "image.svg_xml").describe("Its key."),
      name: label.describe("The media type, such as image/svg+xml."),
      kind: form(/^[a-z-]+$/, "a lowercase word", "image").describe("The part before the slash."),
      source: z.enum(["apache", "iana", "nginx"]).optional().describe("Who has defined it, if that is known."),
      charset: label.optional().describe("The usual character set of a text."),
      compressible: z.boolean().optional().describe("Whether compression makes it smaller, if that is known."),
      extensions: z.array(extension).describe("The endings of its files, the usual one first."),
    })
    .meta({ title: "MediaType" }),
  key: "id",
  filters: { source: "source", compressible: "compressible" },
  together: [["source", "compressible"]],
  orders: { name: [{ field: "name", fold: true, natural: true }] },
  load: () =>
    entries.map(([name, { extensions = [], ...rest }]) => ({
      id: keyOf(name),
      name,
      kind: name.replace(/\/.*/, ""),
      ...rest,
      extensions,
    })),
});

const extensions = defineCollection({
  purpose: "Endings of file names, with their media types.",
  noun: { one: "extension", many: "extensions" },
  schema: z
    .strictObject({
      extension: extension.describe("Without the dot."),
      types: z.array(reference("types")).min(1).describe("The media types of files with this ending."),
      type_count: count.describe("The number of its media types."),
    })
    .meta({ title: "Extension" }),
  key: "extension",
  orders: { most_types: ["-type_count"] },
  paged: false,
  load: function* () {
    for (const each of new Set(entries.flatMap(([, entry]) => entry.extensions ?? []))) {
      const own = entries.filter(([, entry]) => entry.extensions?.includes(each));
      yield { extension: each, types: own.map(([name]) => keyOf(name)), type_count: own.length };
    }
  },
});

export default defineApi({ base: "/media/v1", collections: { types, extensions } });
