import type { Deprecable } from "../declare/deprecation.ts";
import type { PageContent, PageData, PageDeclaration } from "../declare/html.ts";
import type { Words } from "../declare/marks.ts";
import type { Failure } from "./failure.ts";
import type { Filter } from "./filter.ts";
import { type Item, integerForm } from "./key.ts";
import type { DocumentOperation, ListOperation, Operation } from "./operation.ts";
import { pathForm } from "./path-form.ts";
import type { Place } from "./place.ts";

/** The APIs of one declaration: one or several. They have one content and one build, and the first has the front page. */
export type Apis = readonly [Api, ...Api[]];

/** An API: the table from which listings, paths, routing, hosts' configurations, documents and clients derive. */
export interface Api extends Deprecable {
  /** The prefix of every path, such as /api/v1. */
  readonly base: string;
  /** These come before those of api.yaml. */
  readonly title: string | undefined;
  readonly description: string | undefined;
  /** The Cache-Control of the files beside the data. */
  readonly filesCache: string;
  readonly operations: readonly Operation[];
  /** The published collections. */
  readonly lists: readonly ListOperation[];
  /** All collections. Those that are not published only feed others. */
  readonly collections: readonly ListOperation[];
  readonly documents: readonly DocumentOperation[];
  /** The vocabularies that api.yaml can limit, each name once. */
  readonly vocabularies: readonly Words[];
  readonly pages: readonly ApiPage[];
  /** Whether each list has a page for people that shows its first items. */
  readonly hasDataPages: boolean;
  readonly outputs: readonly ApiOutput[];
  /** The place of an option in the declaration; undefined if it is unknown. */
  readonly placeOf: (option: string) => Place | undefined;
}

export interface ApiPage extends Required<Pick<PageDeclaration, "title" | "main" | "style" | "scope">> {
  /** Below BASE, such as docs/network. */
  readonly path: string;
  readonly language: string | undefined;
  readonly render: (data: PageData) => PageContent | Failure | undefined;
}

/** A declared file that is made from the data, or with `each` one for each item of a list. */
export interface ApiOutput extends Deprecable {
  /** In a request. `{field}` stands for the value of a field: `/api/cities/{id}.json`. */
  readonly path: string;
  /** The name of the list. */
  readonly each: string | undefined;
  readonly contentType: string;
  readonly cache: string;
  /** Undefined: there is no such file. The item is that of `each`. */
  readonly render: (data: PageData, item?: Item) => Uint8Array | Failure | undefined;
  /** The place of the output in the declaration; undefined if it is unknown. */
  readonly place: () => Place | undefined;
}

export function listNamed({ collections }: Pick<Api, "collections">, name: string): ListOperation {
  const list = collections.find((candidate) => candidate.name === name);
  if (list === undefined) throw new Error(`There is no operation ${name}.`);
  return list;
}

/** Whether one of two bases is the other, or a part of it: `/api` and `/api/v1`. No other bases have a path in common. */
export const areNested = (base: string, other: string): boolean =>
  `${base}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${base}/`);

const slugForm = "^[a-z0-9]+(?:-[a-z0-9]+)*$";

export interface AcceptedValues {
  readonly text: string;
  /** The operation that lists the items with these values. */
  readonly listedBy: ListOperation;
  /** An anchored regular expression that matches every value, and nothing that is unsafe in a path. */
  readonly form: string;
}

/** The folder of the files beside the data, below the prefix of every path. */
export const assetsFolder = "files";

/** The part of a file's SHA-256 that its address has: 64 bits in hexadecimal. */
export const addressDigest = (sha256: string): string => sha256.slice(0, 16);

/** The request path of the document with the values of a list's filters. */
export const filtersPath = (base: string, operation: string): string => `${base}/filters/${operation}.json`;

export function acceptedBy(api: Pick<Api, "collections">, operation: ListOperation, filter: Filter): AcceptedValues {
  const { accepts, field = filter.param, steps, by } = filter;
  const text = `the ${field} of ${withArticle(operation.noun)}`;
  switch (accepts.kind) {
    case "keys": {
      const listedBy = listNamed(api, accepts.of);
      const { key, keyForm, noun } = listedBy;
      const openForm = accepts.type === "integer" ? integerForm : pathForm;
      return { text: `the ${key} of ${withArticle(noun)}`, listedBy, form: accepts.isOpen ? openForm : keyForm };
    }
    case "listed": {
      const form = `^(?:${accepts.values.map((value) => value.replaceAll(".", "\\.")).join("|")})$`;
      return { text: joined(accepts.values, "or"), listedBy: operation, form };
    }
    case "words":
      return { text, listedBy: operation, form: pathForm };
    case "occurring": {
      if (by === "slug") return { text: `${text}, in lowercase with hyphens`, listedBy: operation, form: slugForm };
      const ofSeveral = "one of ";
      const value = steps?.some((step) => !step.startsWith(".") || step === ".*") ? ofSeveral : "";
      const part = { value, elements: ofSeveral, names: "a key in ", function: "" }[by];
      return { text: part + text, listedBy: operation, form: accepts.type === "integer" ? integerForm : pathForm };
    }
  }
}

export const articleOf = (noun: string): string => (/^[aeiou]/.test(noun) ? "an" : "a");

export const withArticle = (noun: string): string => `${articleOf(noun)} ${noun}`;

/** `a, b or c` */
export function joined(texts: readonly (string | number)[], word: "and" | "or"): string {
  const last = `${texts.at(-1) ?? ""}`;
  return texts.length < 2 ? last : `${texts.slice(0, -1).join(", ")} ${word} ${last}`;
}
