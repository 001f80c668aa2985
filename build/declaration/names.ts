// The rules for names in a declaration, and for paths of its pages.
import { withArticle } from "../../src/model/api.ts";
import { quote } from "../text/quote.ts";
import type { Report } from "./options/group.ts";
import type { DeclaredPart } from "./places.ts";

/** Names become paths, files, and variables in the configurations of hosts. No host has to quote or rename them. */
const name = {
  form: /^(?=.{1,32}$)[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*$/,
  hint: "A name starts with a letter, and is 1 to 32 lowercase letters, digits, and single hyphens or underscores between them.",
};

/**
 * Names of collections and documents with another meaning: in a path, in the content, in a deployment or in JavaScript.
 * The state of earlier builds is in the files cursors.json, cursors-2.json and so on.
 */
const operation = {
  ...name,
  reserved:
    /^(?:limit|cursor|item|sort|docs|schemas|dumps|filters|errors|openapi|cursors(?:-\d+)?|changes|address|api|deployments|operations|constructor|then|prototype)$/,
};

const forms = {
  collection: operation,
  document: operation,
  parameter: { ...name, reserved: /^(?:limit|cursor|item|sort)$/ },
  order: { ...name, reserved: /^$/ },
  vocabulary: { ...name, reserved: /^$/ },
  page: {
    form: /^(?=.{1,100}$)docs(?:\/[a-z0-9]+(?:-[a-z0-9]+)*)+$/,
    hint: "It is docs/ and one or more parts of lowercase letters, digits and single hyphens, such as docs/map, and has at most 100 characters.",
    /** The file index.html is the page of its folder. Below the others are pages that every API has. */
    reserved: /\/index$|^docs\/(?:404|changes|collections|data)(?:\/|$)/,
  },
};

export function checkName(report: Report, kind: keyof typeof forms, text: string, at: readonly DeclaredPart[]): void {
  const { form, hint, reserved } = forms[kind];
  if (!form.test(text)) report("invalid-name", at, `${quote(text)} is not a valid name of ${withArticle(kind)}.`, hint);
  else if (reserved.test(text))
    report("invalid-name", at, `The name ${quote(text)} is reserved.`, `Give the ${kind} another name.`);
}

/** Whether no collection or document can have a name. */
export const isReservedOperation = (text: string): boolean => operation.reserved.test(text);

/** Whether no filter can have a name. */
export const isReservedParameter = (text: string): boolean => forms.parameter.reserved.test(text);

export const isName = (text: string): boolean => name.form.test(text);

/** Whether a text can be the name of a type in programs, and of a schema in OpenAPI. */
export const isTypeName = (text: string): boolean => /^[A-Za-z][A-Za-z0-9_]*$/.test(text);

/** Whether names are the same, or differ only in hyphens and underscores. */
export const areAlike = (one: string, other: string): boolean =>
  one.replaceAll("-", "_") === other.replaceAll("-", "_");
