import type { Words } from "./marks.ts";
import type { DocumentOperation, Filter, ListOperation, Operation } from "./operation.ts";
import type { PageContent, PageData } from "./pages.ts";
import { pathForm, type Resource } from "./resource.ts";

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
  { noun, references, innerReferences }: Resource,
  field: string,
): ListOperation {
  const to = [...references, ...innerReferences].find((reference) => reference.field === field)?.to;
  const target = lists.find(({ name }) => name === to);
  if (target === undefined) throw new Error(`The ${field} of a ${noun} refers to no operation's items.`);
  return target;
}

/** What the values of a filter are. */
export interface AcceptedValues {
  /** Such as `the code of a region`, or `true or false`. */
  readonly text: string;
  /** The operation that lists the items with these values. */
  readonly listedBy: ListOperation;
  /** An anchored regular expression that every value matches and nothing that is unsafe in a path. */
  readonly form: string;
}

export function acceptedBy(api: Pick<Api, "lists">, operation: ListOperation, filter: Filter): AcceptedValues {
  const { accepts, field } = filter;
  const { resource } = operation;
  switch (accepts.kind) {
    case "keys": {
      const target = referenced(api, resource, field);
      const { key, keyForm, noun } = target.resource;
      return { text: `the ${key} of ${withArticle(noun)}`, listedBy: target, form: keyForm };
    }
    case "listed": {
      const text = choiceOf(accepts.values);
      return { text, listedBy: operation, form: `^(?:${accepts.values.map(escaped).join("|")})$` };
    }
    case "words":
      return { text: `the ${field} of ${withArticle(resource.noun)}`, listedBy: operation, form: pathForm };
  }
}

export const articleOf = (noun: string): string => (/^[aeiou]/.test(noun) ? "an" : "a");

export const withArticle = (noun: string): string => `${articleOf(noun)} ${noun}`;

function choiceOf(values: readonly string[]): string {
  const last = values.at(-1) ?? "";
  return values.length < 2 ? last : `${values.slice(0, -1).join(", ")} or ${last}`;
}

const escaped = (value: string): string => value.replaceAll(".", "\\.");
