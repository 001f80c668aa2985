// Where the items of a collection come from, if not from files as they are: the options `load`, `transform` and `from`.
import * as z from "zod";
import type { Collection, From } from "../../../src/declare/declare.ts";
import { fieldOf, hasFields, isObject, ownField } from "../../../src/model/fields.ts";
import { derivedValues } from "../../../src/model/filter.ts";
import type { Groups, ItemSource, ListOperation, MakeFrom } from "../../../src/model/operation.ts";
import { guarded, type Program, withoutPromise } from "../program.ts";
import { callable } from "./forms.ts";
import type { CollectionGroup, Context } from "./group.ts";

const exclusive = [
  ["files", "load"],
  ["files", "from"],
  ["load", "from"],
  ["transform", "from"],
] as const;

const areCollections = (values: unknown): boolean =>
  Array.isArray(values) && values.length > 0 && values.every((value) => fieldOf(value, "kind") === "collection");

const isMaking = (make: unknown): boolean =>
  typeof make === "function" || ["by", "make"].every((name) => typeof fieldOf(make, name) === "function");

export const source = {
  form: {
    load: callable.optional(),
    transform: callable.optional(),
    from: z
      .custom(
        (value) => isObject(value) && areCollections(value["collections"]) && isMaking(value["make"]),
        "the result of from(…), with a function or { by, make }: ...from(products, (product) => product.releases)",
      )
      .optional(),
  },

  check(report, { which, at, options }, { collections }) {
    const clash = exclusive.find(([one, other]) => options[one] !== undefined && options[other] !== undefined);
    if (clash !== undefined) {
      const message = `${which} has both ${clash[0]} and ${clash[1]}, but its items come from one of them.`;
      report("wrong-option", at([clash[0]], "name"), message, "Remove one.");
    }
    const { from } = options;
    const declared = Object.values(collections);
    if (from?.collections.some((one) => !declared.includes(one))) {
      const message = `The items of ${which} are made from a collection that the API does not have.`;
      report("no-such-name", [{ of: from }, ...at([])], message, "Add it to collections, or name another.");
    }
    if (from !== undefined && from.collections.length > 1 && typeof from.make !== "function") {
      const message = `The items of ${which} are made from groups of several collections.`;
      report("wrong-option", [{ of: from }, ...at([])], message, "Name one, which may be made from several with from.");
    }
  },

  complete(declared, context) {
    const source = sourceOf(declared, context);
    return { ...(source !== undefined && { source }), transform: transformOf(declared, context.program) };
  },
} satisfies CollectionGroup;

/** The names of the collections from which the items of another one are made. */
export const sourcesIn = (
  { from }: Partial<Collection["declaration"]>,
  collections: Readonly<Record<string, unknown>>,
): readonly string[] =>
  Object.keys(collections).filter((name) => from?.collections.some((one) => one === ownField(collections, name)));

function sourceOf(declared: Collection, context: Context): ItemSource | undefined {
  const { load, from } = declared.declaration;
  const { name, collections, program } = context;
  if (load !== undefined) {
    return {
      kind: "load",
      declared: load,
      async load() {
        try {
          return await loadedItems(await load());
        } catch (error) {
          return program.failureOf(error, declared, ["load"], `The items of ${name} cannot be loaded`);
        }
      },
    };
  }
  if (from === undefined) return undefined;
  return { kind: "from", collections: sourcesIn(declared.declaration, collections), make: makingOf(from, program) };
}

/** The items are those of the collections that the types of the declaration know. */
function makingOf(from: From, program: Program): MakeFrom | Groups {
  const { make } = from;
  const failure = (error: unknown) => program.failureOf(error, from, []);
  if (typeof make === "function")
    return guarded((item, collection) => listedItems(make(item as never, collection), "The function of from"), failure);
  return {
    by: guarded((item) => derivedValues(make.by(item as never)), failure),
    make: guarded(
      (value, items) =>
        withoutPromise(make.make(value as never, items as never), "make returned a promise, not an item."),
      failure,
    ),
  };
}

function transformOf(declared: Collection, { failureOf, today }: Program): ListOperation["transform"] {
  const { transform } = declared.declaration;
  if (transform === undefined) return undefined;
  const transformed: NonNullable<ListOperation["transform"]> = (raw, context) => {
    const item: unknown = transform(raw, {
      ...context,
      get date() {
        return today();
      },
    });
    return withoutPromise(item, "transform returned a promise, not an item.");
  };
  return guarded(transformed, (error) => failureOf(error, declared, ["transform"]));
}

/** The items that a function returned. Throws TypeError if the result is not a list. */
function listedItems(items: unknown, source: string): readonly unknown[] {
  if (!isIterable(items)) throw new TypeError(`${source} returned no list of items.`);
  return [...items];
}

async function loadedItems(items: unknown): Promise<readonly unknown[]> {
  if (!isAsyncIterable(items)) return listedItems(items, "load");
  const all: unknown[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const isIterable = (value: unknown): value is Iterable<unknown> => hasFields(value) && Symbol.iterator in value;

const isAsyncIterable = (value: unknown): value is AsyncIterable<unknown> =>
  hasFields(value) && Symbol.asyncIterator in value;
