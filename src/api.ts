import type { Filter } from "./filter.ts";
import type { PageContent, PageData } from "./html.ts";
import type { Words } from "./marks.ts";
import type { DocumentOperation, ListOperation, Operation } from "./operation.ts";
import { integerForm, pathForm, type Resource } from "./resource.ts";

/** An API: the table from which listings, paths, routing, hosts' configurations, documents and clients derive. */
export interface Api {
  /** The prefix of every path, such as /api/v1. */
  readonly base: string;
  /** In the order in which documents list them. */
  readonly operations: readonly Operation[];
  readonly lists: readonly ListOperation[];
  readonly documents: readonly DocumentOperation[];
  /** The vocabularies that api.yaml can limit, each name once. */
  readonly vocabularies: readonly KnownVocabulary[];
  readonly pages: readonly ApiPage[];
  /** Whether each list has a page for people that shows its first items. */
  readonly hasDataPages: boolean;
}

/** A page for people among the API's documents. */
export interface ApiPage {
  /** Below BASE, such as docs/network. */
  readonly path: string;
  readonly title: string;
  readonly style: string;
  /** The class of the body. */
  readonly scope: string;
  /** Undefined if there is nothing to show. */
  readonly render: (data: PageData) => PageContent | undefined;
}

export interface KnownVocabulary extends Words {
  /** Words for a new repository to start with. */
  readonly suggested: readonly string[];
}

/** The operation that lists the items a field refers to. `field` may be a path within lists and objects. */
export function referenced(
  { lists }: Pick<Api, "lists">,
  { noun, references }: Resource,
  field: string,
): ListOperation {
  const to = references.find((reference) => reference.field === field)?.to;
  if (to === undefined) throw new Error(`The ${field} of a ${noun} refers to no operation's items.`);
  return listNamed({ lists }, to);
}

/** The operation whose items are keys in a filter or a reference. */
export function listNamed({ lists }: Pick<Api, "lists">, name: string): ListOperation {
  const found = lists.find((each) => each.name === name);
  if (found === undefined) throw new Error(`There is no operation ${name}.`);
  return found;
}

const slugForm = "^[a-z0-9]+(?:-[a-z0-9]+)*$";

/** The kind of the values that a filter accepts. */
export interface AcceptedValues {
  /** Such as `the code of a region`, or `true or false`. */
  readonly text: string;
  /** The operation that lists the items with these values. */
  readonly listedBy: ListOperation;
  /** An anchored regular expression that every value matches and nothing that is unsafe in a path. */
  readonly form: string;
}

/** The request path of the document with the values of a list's filters. */
export const filtersPath = (base: string, operation: string): string => `${base}/filters/${operation}.json`;

export function acceptedBy(api: Pick<Api, "lists">, operation: ListOperation, filter: Filter): AcceptedValues {
  const { accepts, field = filter.param, by } = filter;
  const noun = withArticle(operation.resource.noun);
  switch (accepts.kind) {
    case "keys": {
      const listedBy = listNamed(api, accepts.of);
      const { key, keyForm, noun } = listedBy.resource;
      return { text: `the ${key} of ${withArticle(noun)}`, listedBy, form: keyForm };
    }
    case "listed": {
      const form = `^(?:${accepts.values.map(escaped).join("|")})$`;
      return { text: choiceOf(accepts.values), listedBy: operation, form };
    }
    case "words":
      return { listedBy: operation, text: `the ${field} of ${noun}`, form: pathForm };
    case "occurring": {
      const texts = {
        value: `the ${field} of ${noun}`,
        elements: `one of the ${field} of ${noun}`,
        names: `a key in the ${field} of ${noun}`,
        function: `the ${field} of ${noun}`,
        slug: `the ${field} of ${noun}, in lowercase with hyphens`,
      };
      const form = accepts.type === "integer" ? integerForm : pathForm;
      return { listedBy: operation, text: texts[by], form: by === "slug" ? slugForm : form };
    }
  }
}

export const articleOf = (noun: string): string => (/^[aeiou]/.test(noun) ? "an" : "a");

export const withArticle = (noun: string): string => `${articleOf(noun)} ${noun}`;

function choiceOf(values: readonly string[]): string {
  const last = values.at(-1) ?? "";
  return values.length < 2 ? last : `${values.slice(0, -1).join(", ")} or ${last}`;
}

const escaped = (value: string): string => value.replaceAll(".", "\\.");
