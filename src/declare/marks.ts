// Marks on zod schemas that the program reads. A schema that is derived by `.describe()`, `.meta()`, `.min()` and other
// methods keeps the mark.
import * as z from "zod";
import type { Deprecation } from "./deprecation.ts";

type Schema = z.core.$ZodType;

/**
 * Like zod's registry, which rewrites the types of schemas in its metadata. All copies of this module share the marks,
 * because a declaration may import another copy than the program's.
 */
class Marks<Mark> {
  readonly #marks: WeakMap<Schema, Mark>;

  constructor(name: string) {
    const shared: Record<symbol, WeakMap<Schema, Mark>> = Object(globalThis);
    this.#marks = shared[Symbol.for(`stillapi.${name}`)] ??= new WeakMap();
  }

  mark<Marked extends Schema>(schema: Marked, mark: Mark): Marked {
    this.#marks.set(schema, mark);
    return schema;
  }

  of(schema: Schema): Mark | undefined {
    const { parent } = schema._zod;
    return this.#marks.get(schema) ?? (parent && this.of(parent));
  }
}

/** The form of a value, as it completes the sentence "… must be …", and a valid value. */
export const forms = new Marks<{ readonly text: string; readonly example?: string | number | boolean }>("forms");

/** The options of a reference. */
export interface ReferenceOptions {
  /** The field of the items referred to that content has in place of their keys. */
  readonly by?: string | undefined;
  /** `warn`: a value that leads nowhere is a warning, and stays as it is. Default: it is an error. */
  readonly missing?: "warn" | undefined;
}

/** The collection whose keys are the valid values. */
export const references = new Marks<ReferenceOptions & { readonly to: string }>("references");

/** The options of a field that names a file. */
export interface AssetOptions {
  /** The largest size, such as `2MB` or `500kB`, in powers of 1,000. Default: none. */
  readonly max?: string;
  /**
   * The media types that are accepted, such as `image/png` or `image/*`. Default: those of pictures, for `file` all but
   * HTML, XML, scripts and unknown types.
   */
  readonly types?: readonly string[];
}

/** The fields that name a file. */
export const assetMarks = new Marks<AssetOptions & { readonly isImage: boolean }>("assets");

/** Why the program refuses a schema: completes "The field NAME …". */
export interface SchemaRefusal {
  readonly clause: string;
  readonly hint?: string | undefined;
}

export const refusals = new Marks<SchemaRefusal>("refusals");

export const deprecations = new Marks<Deprecation>("deprecations");

/** The severity of a state: an outage, degraded, anything else such as planned maintenance, or good. */
export type Tone = "down" | "warn" | "other" | "good";

/** The severities of the words of a field; those of all further words are `other`. */
export type Tones = Readonly<Record<string, Tone>>;

export const tones = new Marks<Tones>("tones");

/** The vocabulary that limits a text. */
export interface Words {
  readonly name: string;
  /** The form of the words. Default: a lowercase word, or any label that api.yaml lists. */
  readonly form: z.ZodString | undefined;
}

export const vocabularies = new Marks<Words>("vocabularies");

/**
 * The key of an item of the collection `to`. It may be nullable or optional, an element of a list, or a field of an
 * object in an item. With `by`, content has another unique field of that item, a text or an integer, and answers its key.
 * The type is that of the key: `reference<number>("airlines")`.
 */
export const reference = <Key extends string | number = string>(
  to: string,
  options: ReferenceOptions = {},
): ReferenceSchema<Key> =>
  // The schema of the key takes its place as soon as all collections are known.
  references.mark(z.string(), { to, ...options }) as unknown as ReferenceSchema<Key>;

type ReferenceSchema<Key> = Key extends number ? z.ZodType<Key> : z.ZodString;

/** The schema of the declaration from which a schema is resolved. */
export const declarations = new Marks<Schema>("declared");

/** A word of the vocabulary `name`, which api.yaml may limit to a list. Until then, any word of the form is valid. */
export const words = (name: string, form?: z.ZodString): z.ZodString => vocabularies.mark(z.string(), { name, form });
