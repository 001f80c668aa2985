// The work that the types of a declaration make for the compilers of its consumers.
import { expect, it } from "vitest";
import { typeCheck } from "../../../test/client/type-check.ts";

const names = Array.from({ length: 20 }, (_, index) => `list${index}`);

const declaration = `
import * as z from "zod";
import { defineApi, defineCollection, defineDocument, reference, words } from "stillapi";
import { count, id, label, time } from "stillapi/forms";

${names
  .map(
    (name, index) => `const ${name} = defineCollection({
  purpose: "Items.",
  schema: z.strictObject({
    id: id("i${index}"), created_at: time, name: label, count, state: words("state"), kind: z.enum(["a", "b", "c${index}"]),
    parent: reference("${names[index - 1] ?? name}").nullable(), is_new: z.boolean(), note: label.optional(),
    sizes: z.tuple([z.number(), z.number()]), titles: z.record(z.string(), label),
    parts: z.array(z.strictObject({ name: label, count, of: z.union([z.string(), z.number()]) })),
  }),
  key: "id",
  order: ["created_at"],
  filters: { parent: "parent", kind: "kind" },
  together: [["parent", "kind"]],
  paged: ${index % 3 > 0},
  item: ${index % 2 > 0},
  ${index % 2 > 0 ? 'brief: ["id", "created_at", "name", "parts"],' : ""}
});`,
  )
  .join("\n")}
const status = defineDocument({ purpose: "The state.", schema: z.strictObject({ state: words("state") }) });
export default defineApi({ collections: { ${names.join(", ")} }, documents: { status } });
`;

const consumer = `
import { createClient } from "stillapi/client";
import type api from "./api.config.ts";

const client = createClient<typeof api>("https://example.com");
${names
  .map(
    (name, index) => `
${index % 2 > 0 ? `(await client.${name}.item("i0")).note satisfies string | undefined;` : ""}
for await (const item of client.${name}.items({ kind: "a" })) item.parts[0]?.of satisfies string | number | undefined;
// @ts-expect-error: no item is of this kind
await client.${name}.get({ kind: "d" });`,
  )
  .join("\n")}
(await client.status()).state satisfies string;
`;

it("is small for twenty collections", { timeout: 60_000 }, () => {
  const { errors, instantiations } = typeCheck({ "api.config.ts": declaration, "consumer.ts": consumer });
  expect(errors).toEqual([]);
  // A compiler takes less than a second for them.
  expect(instantiations).toBeLessThan(60_000);
});
