import * as z from "zod";
import { idOf, imageType, size, timestamp } from "../forms.ts";
import type { Resource } from "../resource.ts";
import { type Vocabulary, word } from "../vocabulary.ts";

export const imageSchema = (vocabulary: Vocabulary) =>
  z.strictObject({
    id: idOf("med"),
    created_at: timestamp,
    content_type: word(vocabulary, "content_type", imageType),
    bytes: size,
    width: size,
    height: size,
    status: word(vocabulary, "image_status"),
  });

/** Seed, "Image". `bytes` in bytes, `width` and `height` in pixels. */
export type Image = Readonly<z.infer<ReturnType<typeof imageSchema>>>;

export const image: Resource<Image> = {
  noun: "image",
  key: "id",
  schema: imageSchema,
  references: [],
  example: {
    id: "med_000000",
    created_at: "2026-01-01T00:00:00Z",
    content_type: "image/png",
    bytes: 1024,
    width: 16,
    height: 9,
    status: "ready",
  },
};
