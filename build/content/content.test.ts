import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { dialectOf } from "../../src/model/files.ts";
import type { Item } from "../../src/model/key.ts";
import { discovered, type Tree } from "../../test/content/folder.ts";
import { edgeNetwork } from "../../test/edge-network.ts";
import { compiled } from "../../test/plan.ts";
import { rounds } from "../../test/seed.ts";
import { allItems } from "./table/items.ts";

/** The order of each operation's items. */
const orders: Readonly<Record<string, readonly string[]>> = {
  records: ["collection", "created_at", "id"],
  nodes: ["created_at", "id"],
  regions: ["code"],
  images: ["created_at", "id"],
  schema: ["name"],
};

type Items = Readonly<Record<string, readonly Item[]>>;

const label = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 8 })
  .filter((text) => text !== "" && text === text.trim());
const word = fc.constantFrom("operational", "no", "on", "null", "e3");
const lettersAndDigits = fc.stringMatching(/^[a-z0-9]{1,4}$/);
const timestamp = fc
  .date({ min: new Date("1970-01-01"), max: new Date("2100-01-01"), noInvalidDate: true })
  .map((date) => date.toISOString().replace(/\.\d+/, ""));
const size = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });

const listOf = (item: fc.Arbitrary<Item>, key: string, minLength = 0) =>
  fc.uniqueArray(item, { minLength, maxLength: 6, selector: (each) => String(each[key]).toLowerCase() });

const region = fc.record({
  code: fc.stringMatching(/^[A-Za-z]{3}[0-9]$/),
  name: label,
  zone: fc.constantFrom("europe-west", "us-east"),
  country: fc.constantFrom("NO", "GB"),
  status: word,
});

const collection = fc.record({
  name: fc.stringMatching(/^[a-z0-9_-]{1,4}$/),
  fields: fc.uniqueArray(fc.record({ name: label, type: word, nullable: fc.boolean() }), {
    maxLength: 3,
    selector: ({ name }) => name,
  }),
});

const image = fc.record({
  id: lettersAndDigits.map((text) => `med_${text}`),
  created_at: timestamp,
  content_type: fc.constantFrom("image/png", "image/svg+xml"),
  bytes: size,
  width: size,
  height: size,
  status: word,
});

const node = (regions: readonly Item[]) =>
  fc.record({
    id: lettersAndDigits.map((text) => `nod_${text}`),
    created_at: timestamp,
    pop: fc.constantFrom(...regions.map(({ code }) => code)),
    status: word,
    capacity: fc.integer({ min: 1 }).map((gigabits) => `${gigabits}G`),
  });

const record = (collections: readonly Item[]) =>
  fc
    .record({
      id: lettersAndDigits.map((text) => `rec_${text}`),
      times: fc.tuple(timestamp, timestamp).map((times) => times.sort()),
      collection: fc.constantFrom(...collections.map(({ name }) => name)),
      revision: fc.nat({ max: Number.MAX_SAFE_INTEGER }),
    })
    .map(({ id, times: [created_at, updated_at], collection: name, revision }) => ({
      id,
      created_at,
      collection: name,
      revision,
      updated_at,
    }));

const catalog: fc.Arbitrary<Items> = fc
  .record({ regions: listOf(region, "code", 1), schema: listOf(collection, "name", 1), images: listOf(image, "id") })
  .chain(({ regions, schema, images }) =>
    fc.record({
      records: listOf(record(schema), "id"),
      nodes: listOf(node(regions), "id"),
      regions: fc.constant(regions),
      images: fc.constant(images),
      schema: fc.constant(schema),
    }),
  );

/** The text of one item, and the file of its resource that contains it. */
interface Choice {
  readonly file: number;
  readonly extension: string;
  readonly place: string;
  readonly fromPath: boolean;
  readonly bare: boolean;
  readonly mark: string;
  readonly lineEnd: string;
}

const choice: fc.Arbitrary<Choice> = fc.record({
  file: fc.nat({ max: 2 }),
  extension: fc.constantFrom("json", "ndjson", "jsonl", "yaml", "yml"),
  // Capitals, because no collection has any, so that none is suggested.
  place: fc.constantFrom("/", "/A/", "/A/b.c/", "."),
  fromPath: fc.boolean(),
  bare: fc.boolean(),
  mark: fc.constantFrom("", "\ufeff"),
  lineEnd: fc.constantFrom("\n", "\r\n"),
});

/** The items of one resource, in the files and the form that the choices give. */
function filesOf(operation: string, items: readonly Item[], choices: readonly Choice[]): Tree {
  const files = new Map<string, { first: Choice; items: Item[] }>();
  for (const [index, item] of items.entries()) {
    const own = choices[index % choices.length];
    if (own === undefined) throw new Error("There are no choices.");
    const named = operation === "records" && own.fromPath;
    const { collection: name, ...rest } = item;
    const file = `${named ? `records/${name}` : operation}${own.place}N${own.file}`;
    const group = files.get(file) ?? { first: own, items: [] };
    files.set(file, group);
    group.items.push(named ? rest : item);
  }
  return Object.fromEntries(
    [...files].map(([file, { first, items: own }]) => [`${file}.${first.extension}`, textOf(own, first)]),
  );
}

function textOf(items: readonly Item[], { extension, bare, mark, lineEnd }: Choice): string {
  const value = bare && items.length === 1 ? items[0] : items;
  const format = dialectOf(`a.${extension}`)?.format.name;
  const text =
    format === "yaml"
      ? stringify(value)
      : format === "json"
        ? JSON.stringify(value, null, bare ? 1 : 0)
        : items.map((item) => `${JSON.stringify(item)}\n`).join("");
  return mark + text.replaceAll("\n", lineEnd);
}

const ascending = (items: readonly Item[], fields: readonly string[]) =>
  [...items].sort((a, b) => {
    const field = fields.find((each) => a[each] !== b[each]) ?? "";
    return String(a[field]) < String(b[field]) ? -1 : 1;
  });

describe("content", () => {
  it("is the same catalog in whatever files, formats and order it comes", () => {
    const layout = fc.array(choice, { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(catalog, layout, fc.infiniteStream(fc.nat()), (all, choices, random) => {
        const tree = Object.assign({}, ...Object.entries(all).map(([name, items]) => filesOf(name, items, choices)));
        const files = discovered(tree)
          .files.map((file) => ({ file, at: Number(random.next().value) }))
          .sort((a, b) => a.at - b.at)
          .map(({ file }) => file);
        const { items } = compiled({ files, unreadable: new Map() }, edgeNetwork);
        const expected = Object.entries(orders).map(([name, fields]) => [name, ascending(all[name] ?? [], fields)]);
        const found = [...items].filter(([name]) => Object.hasOwn(orders, name));
        expect(found.map(([name, own]) => [name, allItems(own)])).toEqual(expected);
      }),
      { numRuns: 25 * rounds },
    );
  });
});
