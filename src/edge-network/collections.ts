// The collections and the document of an edge network.
import * as z from "zod";
import { count, country, distinctBy, flag, form, id, label, size, states, time } from "../declare/forms.ts";
import {
  type BodyOf,
  defineCollection,
  defineDocument,
  type FileFacts,
  type ItemOf,
  image,
  type RawItem,
  reference,
  words,
} from "../index.ts";
import { severities } from "./states.ts";

const sampleTime = "2026-01-01T00:00:00Z";

/** Three letters and a digit. Compared as sent: `LHR1` is not `lhr1`. */
const regionCode = form(/^[A-Za-z]{3}[0-9]$/, "three letters and a digit, such as lhr1", "lhr1");

/** The seed's "lowercase area-direction form". */
const zone = form(
  /^[a-z]+(?:-[a-z]+)+$/,
  "a lowercase area and direction joined by a hyphen, such as europe-north",
  "europe-north",
);

/** Advertised capacity in Gbit/s. */
const capacity = form(
  /^[1-9][0-9]*G$/,
  'an integer of 1 or more without leading zeros followed by "G", such as 100G',
  "100G",
);

/** RFC 6838, section 4.2, of the top-level type image, in lowercase. */
const imageType = form(
  /^image\/[a-z0-9][a-z0-9!#$&^_.+-]*$/,
  "a media type that starts with image/, such as image/png",
  "image/png",
);

/** At most 200 characters, because a collection's name is also a file name. */
const collectionName = form(
  /^[a-z0-9_-]{1,200}$/,
  "at most 200 lowercase letters, digits, underscores and hyphens",
  "assets",
);

export const records = defineCollection({
  purpose: "List records within a collection.",
  noun: { one: "record", many: "records" },
  schema: z
    .strictObject({
      id: id("rec").describe("Unique identifier of the record. It never changes."),
      created_at: time.describe("When the record was created."),
      collection: reference("schema").describe("The collection that the record belongs to."),
      revision: count.describe("How many times the record has been changed; 0 for a new record."),
      updated_at: time.describe("When the record was last changed, never before `created_at`."),
    })
    // A value that is no time has a fault of its own.
    .refine(({ created_at, updated_at }) => updated_at >= created_at || !time.safeParse(created_at).success, {
      path: ["updated_at"],
      error: "no earlier than created_at",
    })
    .meta({
      title: "EdgeRecord",
      description: "A versioned entry in a collection.",
      examples: [
        {
          id: "rec_000000",
          created_at: sampleTime,
          collection: "assets",
          revision: 0,
          updated_at: "2026-01-01T00:01:00Z",
        },
      ],
    }),
  key: "id",
  order: ["collection", "created_at"],
  filters: { collection: "collection" },
  files: ["records/{collection}", "records.*"],
});

export const nodes = defineCollection({
  purpose: "Edge nodes and their advertised capacity.",
  noun: { one: "node", many: "nodes" },
  schema: z
    .strictObject({
      id: id("nod").describe("Unique identifier of the node. It never changes."),
      created_at: time.describe("When the node joined the network."),
      pop: reference("regions").describe("The region (point of presence) that the node is in."),
      status: states(words("node_status"), severities)
        .meta({ examples: ["operational", "degraded", "maintenance", "offline"] })
        .describe("Current state of the node."),
      capacity: capacity.describe("Advertised capacity in gigabits per second."),
    })
    .meta({
      title: "EdgeNode",
      description: "A machine at the edge of the network that serves one region.",
      examples: [{ id: "nod_000000", created_at: sampleTime, pop: "lhr1", status: "operational", capacity: "10G" }],
    }),
  key: "id",
  order: ["created_at"],
  filters: { region: "pop" },
});

export const regions = defineCollection({
  purpose: "Regions served by the edge network.",
  noun: { one: "region", many: "regions" },
  schema: z
    .strictObject({
      code: regionCode.describe("Unique code of the region. It is case-sensitive."),
      name: label.describe("Display name of the region, usually its city."),
      zone: words("zone", zone).describe("The part of the world that the region belongs to."),
      country: country.describe("ISO 3166-1 code of the country."),
      status: states(words("region_status"), severities)
        .meta({ examples: ["operational", "degraded", "maintenance", "offline"] })
        .describe("Current state of the region."),
    })
    .meta({
      title: "EdgeRegion",
      description: "A place that the network serves from.",
      examples: [{ code: "lhr1", name: "London", zone: "europe-west", country: "GB", status: "operational" }],
    }),
  key: "code",
  paged: false,
  cache: "public, max-age=300",
});

const imageSchema = z
  .strictObject({
    id: id("med").describe("Unique identifier of the image. It never changes."),
    created_at: time.describe("When the image was added."),
    content_type: words("content_type", imageType)
      .meta({ examples: ["image/png", "image/jpeg", "image/webp"] })
      .describe("Media type of the image."),
    bytes: size.describe("Size of the image file in bytes."),
    width: size.describe("Width in pixels."),
    height: size.describe("Height in pixels."),
    status: states(words("image_status"), severities)
      .meta({ examples: ["ready", "processing", "failed"] })
      .describe("Whether the image is ready to be transformed."),
  })
  .meta({
    title: "EdgeImage",
    description: "A source image that the network can transform.",
    examples: [
      {
        id: "med_000000",
        created_at: sampleTime,
        content_type: "image/png",
        bytes: 1024,
        width: 16,
        height: 9,
        status: "ready",
      },
    ],
  });

/** The facts of a file. Throws if the fields contradict them. */
function agreed(fields: RawItem, facts: FileFacts, source: string): FileFacts {
  const written = new Map(Object.entries(fields));
  for (const [name, fact] of Object.entries(facts)) {
    const value = written.get(name) ?? "";
    // An empty cell is left out.
    if (value !== "" && String(value) !== String(fact))
      throw new Error(`${name} is ${value}, but ${fact} in ${source}. Leave ${name} out.`);
  }
  return facts;
}

export const images = defineCollection({
  purpose: "Source images available for transformation.",
  noun: { one: "image", many: "images" },
  schema: imageSchema,
  key: "id",
  order: ["created_at"],
  // The facts of a file need not be written. A text below front matter is refused, like unknown fields.
  transform({ source, ...front }, { body, facts }) {
    const fields = body === undefined ? front : { ...front, body };
    return source ? { ...fields, ...agreed(fields, facts(String(source)), String(source)) } : fields;
  },
  written: imageSchema.partial({ content_type: true, bytes: true, width: true, height: true }).extend({
    source: image()
      .optional()
      .describe("Path of the picture from which content_type, bytes, width, height are read. It is not answered."),
  }),
});

export const schema = defineCollection({
  purpose: "Field definitions for each collection.",
  noun: { one: "collection", many: "collections" },
  schema: z
    .strictObject({
      name: collectionName.describe("Unique name of the collection."),
      fields: distinctBy(
        z.strictObject(
          {
            name: label.describe("Name of the field, unique in its collection."),
            type: words("field_type")
              .meta({ examples: ["string", "integer", "float", "boolean", "timestamp", "json"] })
              .describe("Type of the field's values."),
            nullable: flag.describe("Whether the field's value may be null."),
          },
          "an object with the name, type and nullable of a field",
        ),
        "name",
        "a list of fields",
      ).describe("The fields of the collection, in order."),
    })
    .meta({
      title: "EdgeCollection",
      description: "A collection of records and the definitions of its fields.",
      examples: [{ name: "assets", fields: [{ name: "id", type: "string", nullable: false }] }],
    }),
  key: "name",
  paged: false,
  cache: "public, max-age=3600",
  defining: ["fields"],
});

export const status = defineDocument({
  purpose: "Machine-readable service status.",
  schema: z
    .strictObject(
      {
        status: words("status")
          .meta({ examples: ["operational", "degraded", "maintenance", "outage"] })
          .describe("Overall state of the service."),
        version: z.literal("v1").describe("Version of the API, as in its paths."),
        region: label.describe("Where the service runs."),
        components: distinctBy(
          z.strictObject(
            {
              name: label.describe("Display name of the component."),
              status: words("status").describe("Current state of the component."),
            },
            "an object with the name and status of a component",
          ),
          "name",
          "a list of components",
        ).describe("The parts of the service."),
        updated_at: time.describe("When the status was last updated."),
      },
      "an object with the fields of the status document",
    )
    .meta({
      title: "EdgeStatus",
      description: "The state of the service and its components.",
      examples: [
        {
          status: "operational",
          version: "v1",
          region: "London",
          components: [{ name: "API", status: "operational" }],
          updated_at: sampleTime,
        },
      ],
    }),
  required: true,
  cache: "no-store",
});

export type EdgeRecord = ItemOf<typeof records>;
export type EdgeNode = ItemOf<typeof nodes>;
export type EdgeRegion = ItemOf<typeof regions>;
/** `bytes` in bytes, `width` and `height` in pixels. */
export type EdgeImage = ItemOf<typeof images>;
/** The definition of a collection. */
export type EdgeCollection = ItemOf<typeof schema>;
export type EdgeStatus = BodyOf<typeof status>;
