// The API of this repository: its collections, their fields and their filters. `content/` has the data. Change the names,
// fields and filters to those of your data; `npm run dev` serves the API again whenever this file or the data changes.
// node_modules/stillapi/docs/declaring.md describes all options.
import { defineApi, defineCollection, reference } from "stillapi";
import { decimal, label, slug } from "stillapi/forms";
import * as z from "zod";

// GET /api/v1/parks
const parks = defineCollection({
  purpose: "Parks with marked trails.",
  noun: { one: "park", many: "parks" },
  schema: z.strictObject({
    id: slug.describe("Unique name of the park, which other collections and addresses use."),
    name: label.describe("Display name of the park."),
  }),
  key: "id",
  // Without this line, the list has the parameters limit and cursor. A short list needs no pages.
  paged: false,
});

// GET /api/v1/trails, also with ?park=…, with ?difficulty=… or with both, and with limit and cursor.
const trails = defineCollection({
  purpose: "Marked trails, by name.",
  noun: { one: "trail", many: "trails" },
  schema: z.strictObject({
    id: slug.describe("Unique name of the trail."),
    name: label.describe("Display name of the trail."),
    // The key of a park. A trail in a park that does not exist is reported.
    park: reference("parks").describe("The park that the trail is in."),
    difficulty: z.enum(["easy", "moderate", "hard"]).describe("The difficulty of the trail."),
    length: decimal(0, 1000, "a number of kilometres from 0 to 1000").describe("Length in kilometres."),
    // Not every trail has a note.
    note: label.optional().describe("A note for walkers."),
  }),
  key: "id",
  // Lists ascend by these fields, then by the key.
  order: ["name"],
  // The parameter, and the field that it is compared with: a reference, an enum, a boolean, or any other short value.
  filters: { park: "park", difficulty: "difficulty" },
  // Without this line, a request may send one filter only.
  together: [["park", "difficulty"]],
  // GET /api/v1/trails/river-walk: each trail has an address of its own.
  item: true,
});

export default defineApi({ collections: { parks, trails } });
