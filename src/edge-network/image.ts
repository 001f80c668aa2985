import * as z from "zod";
import { idOf, imageType, size, timestamp } from "../forms.ts";
import type { Meanings, Resource } from "../resource.ts";
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

/** An image, as the API returns it. `bytes` in bytes, `width` and `height` in pixels. */
export type EdgeImage = Readonly<z.infer<ReturnType<typeof imageSchema>>>;

const meanings: Meanings<EdgeImage> = {
  id: "Unique identifier of the image. It never changes.",
  created_at: "When the image was added.",
  content_type: "Media type of the image.",
  bytes: "Size of the image file in bytes.",
  width: "Width in pixels.",
  height: "Height in pixels.",
  status: "Whether the image is ready to be transformed.",
};

export const image: Resource<EdgeImage> = {
  noun: "image",
  meaning: "A source image that the network can transform.",
  meanings,
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
