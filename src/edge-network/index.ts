// The API of the specification: an edge network's records, nodes, regions, images, collection schemas and status.
import { defineApi } from "../index.ts";
import { images, nodes, records, regions, schema, status } from "./collections.ts";
import { networkPage } from "./page.ts";

export * from "./collections.ts";

export default defineApi({
  collections: { records, nodes, regions, images, schema },
  documents: { status },
  pages: { "docs/network": networkPage },
});
