// The template of a new API: a declaration of two collections to be replaced by others, and a few items of each.
import manifest from "../../../package.json" with { type: "json" };
import type { Template } from "./template.ts";

const declaration = `\
// The API of this repository: its collections, their fields and their filters. \`content/\` has the data. Change the names,
// fields and filters to those of your data; \`npm run dev\` builds the API again whenever this file or the data changes.
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
  // Without it, the list has the parameters limit and cursor. A short list needs no pages.
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
    difficulty: z.enum(["easy", "moderate", "hard"]).describe("How hard the trail is to walk."),
    length: decimal(0, 1000, "a number of kilometres from 0 to 1000").describe("Length in kilometres."),
    // Not every trail has a note.
    note: label.optional().describe("What walkers should know."),
  }),
  key: "id",
  // Lists ascend by these fields, then by the key.
  order: ["name"],
  // The parameter, and the field that it is compared with: a reference, an enum, a boolean, or any other short value.
  filters: { park: "park", difficulty: "difficulty" },
  // Without it, a request may send one filter only.
  together: [["park", "difficulty"]],
});

export default defineApi({ collections: { parks, trails } });
`;

/** For editors. The program itself reads the declaration without it. */
const typescript = `\
{
  "compilerOptions": {
    "target": "es2023",
    "module": "nodenext",
    "types": ["node"],
    "noEmit": true,
    "allowImportingTsExtensions": true,
    "strict": true,
    "skipLibCheck": true
  },
  "include": ["api.config.ts"]
}
`;

/**
 * The declaration imports zod, so editors and `tsc` need it. The version is the program's: one copy is installed. With the
 * types of Node, a declaration may read files.
 */
export const blank: Template = {
  subject: "The data of an API",
  pageSizes: "[1, 2, 5, 10, 25, 50, 100]",
  hasCountries: false,
  files: new Map([
    ["api.config.ts", declaration],
    ["tsconfig.json", typescript],
  ]),
  dependencies: { zod: manifest.dependencies.zod, "@types/node": manifest.devDependencies["@types/node"] },
  items: new Map([
    [
      "parks",
      [
        { id: "green-valley", name: "Green Valley" },
        { id: "high-peaks", name: "High Peaks" },
      ],
    ],
    [
      "trails",
      [
        { id: "river-walk", name: "River Walk", park: "green-valley", difficulty: "easy", length: 4.5 },
        { id: "mill-loop", name: "Mill Loop", park: "green-valley", difficulty: "moderate", length: 11 },
        {
          id: "ridge-path",
          name: "Ridge Path",
          park: "high-peaks",
          difficulty: "hard",
          length: 17.2,
          note: "Closed while there is snow.",
        },
      ],
    ],
  ]),
};
