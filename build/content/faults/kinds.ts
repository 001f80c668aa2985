// The catalogue of faults. A code is permanent: programs may look it up, count it and silence it. A message is one full
// sentence; a hint says how to correct the fault. Only these functions word reports. They receive values as written in
// the file, because the author wrote `3.10` and not 3.1.

import { withArticle } from "../../../src/api.ts";
import type { Cause, FaultCode, FaultDetails, Wording } from "../../diagnostics.ts";
import { describe, quote, shown } from "../../quote.ts";
import { didYouMean } from "../../slips.ts";
import { isSentence } from "../../wording.ts";
import { dayHint, digitsHint, repairHint, typeHint } from "./repairs.ts";

type Catalogue = {
  readonly [Code in FaultCode]: (details: FaultDetails[Code], written: string) => Wording;
};

export const catalogue: Catalogue = {
  "unknown-file": ({ reason, hint }) => ({
    message: `${shown(reason, 300)}.`,
    hint: hint ?? "Move it out of the content folder, or start its name with a dot.",
  }),
  "ambiguous-file": ({ operations }) => ({
    message: `This is a file of several collections: ${operations.join(", ")}.`,
    hint: "Change the option files of one of them, or move the file.",
  }),
  "outside-link": () => ({
    message: "This link leads out of the content folder.",
    hint: "Put the file itself here.",
  }),
  "dead-link": () => ({ message: "This link leads nowhere.", hint: "Remove it, or put the file itself here." }),
  "folder-link": () => ({
    message: "This is a link to a folder, and links to folders are not followed.",
    hint: "Link its files one by one, or move the folder here.",
  }),
  "no-file": () => ({
    message: "This is neither a file nor a folder, so it is not content.",
    hint: "Move it out of the content folder, or start its name with a dot.",
  }),
  "bad-name": () => ({
    message: "This name holds a control character, a line break or something that is not UTF-8.",
    hint: "Rename it.",
  }),
  "too-large": () => ({
    message: "This file is too large: the limit is 2 GB for NDJSON and 512 MB for other files.",
    hint: "Split it into several files.",
  }),
  "invalid-utf8": () => ({ message: "The file is not UTF-8 text from here on.", hint: "Save it as UTF-8." }),
  "empty-file": ({ format }) => ({ message: "The file is empty.", hint: `Remove it, or write ${contents[format]}.` }),
  syntax: ({ format, problem, hint }) => ({ message: `This is not valid ${format}: ${shown(problem, 200)}.`, hint }),
  "too-deep": () => ({
    message: "Lists and objects nest deeper here than any content does.",
    hint: "Check the brackets or the indentation before it.",
  }),
  "yaml-version": ({ version }) => ({
    message: `The file asks for YAML ${shown(version)}, but content is YAML 1.2, in which NO and times are text.`,
    hint: "Remove the %YAML line.",
  }),
  "yaml-only": ({ what, hint }) => ({
    message: `Content holds only what JSON can, and JSON has no ${shown(what)}.`,
    hint,
  }),
  "several-documents": () => ({
    message: "A second YAML document starts here, but a file holds one.",
    hint: "Write the items as one list, or in a file each.",
  }),
  "too-many-aliases": () => ({
    message: "The aliases of this file expand to far more than is written in it.",
    hint: "Write the values out.",
  }),
  "duplicate-key": (_, written) => ({
    message: `The key ${shown(written)} is repeated in this object.`,
    hint: "Keep one of the two.",
    cause: { several: "keys are repeated in their objects", value: shown(written) },
  }),
  "missing-hyphen": (_, written) => ({
    message: `Another item starts here, with the key ${shown(written)}, but no hyphen sets it apart from the one before.`,
    hint: 'Put "- " before the first key of each item, and indent its other keys by two spaces.',
    cause: { several: "items start without a hyphen" },
  }),
  "wrapped-items": ({ nouns, key }) => ({
    message: `The ${nouns} are inside the key ${quote(key)}, but a file holds its items with nothing around them.`,
    hint: "Remove the key, so that the file is the list itself.",
  }),
  "not-one": ({ what, held }) => ({
    message: `This file must hold a single ${what}, but holds ${held}.`,
    hint: "Keep one, without a list around it.",
  }),
  "unknown-field": ({ owner, field, meant, known, isBody }) => ({
    message: `${owner} has no ${fieldOf(owner)} ${quote(field)}${isBody ? ", which is the text below the front matter" : ""}.`,
    hint:
      spaceHint(field, known) ??
      (isBody ? "Remove the text, or add the field to the schema." : undefined) ??
      didYouMean(meant) ??
      (known.length === 0 ? "Remove it." : `Its ${fieldOf(owner)}s are ${known.join(", ")}.`),
    cause: {
      several: `${fieldOf(owner)}s are not those of ${lower(anyOf(owner))}`,
      value: quote(field),
      aside: aside(spaceHint(field, known) ?? didYouMean(meant)),
      hint: known.length === 0 ? "Remove them." : `The ${fieldOf(owner)}s are ${known.join(", ")}.`,
    },
  }),
  "missing-field": ({ owner, owners, field, expected, isBody }) => ({
    message: `${owner} must have the field ${field}.`,
    hint: isBody
      ? "Write text below the front matter."
      : isSentence(expected)
        ? sentenceOf(expected)
        : `Its value ${dutyOf(expected)}.`,
    cause: { several: `${owners ?? `of ${anyOf(owner)}`} must have the field ${field}` },
  }),
  "wrong-key": ({ owner, key, expected, accepts }) => {
    const hint = repairHint(key, accepts);
    const isRefused = isSentence(expected);
    return {
      message: isRefused
        ? `${owner} has the key ${quote(key)}, which is refused: ${sentenceOf(expected)}`
        : `${owner} has the key ${quote(key)}, but its keys ${dutyOf(expected)}.`,
      hint,
      cause: {
        several: `keys of ${lower(anyOf(owner))} are ${isRefused ? "refused" : "not"}: ${shown(expected, 300)}`,
        value: quote(key),
        aside: aside(hint),
      },
    };
  },
  "wrong-type": ({ name, owners, expected, value, accepts }, written) => {
    const hint = typeHint(value, accepts, written);
    return {
      message: wrong(name, expected, value, written),
      hint,
      cause: wrongValues(owners ?? `values of ${anyOf(name)}`, expected, describe(value, written), hint),
    };
  },
  "wrong-value": ({ name, owners, expected, value, meant, accepts, vocabulary }, written) => {
    const hint =
      didYouMean(meant) ?? dayHint(value, accepts) ?? digitsHint(value, accepts, written) ?? repairHint(value, accepts);
    const message = wrong(name, expected, value, written);
    if (vocabulary === undefined) {
      return {
        message,
        hint,
        cause: wrongValues(owners ?? `values of ${anyOf(name)}`, expected, describe(value, written), hint),
      };
    }
    return {
      message,
      hint: hint ?? "Add it to api.yaml, or write one of these.",
      cause: {
        several: `words are not in the vocabulary ${vocabulary}`,
        value: describe(value, written),
        aside: aside(hint),
        hint: `Add them to api.yaml, or write one of its words: ${shown(expected.replace(/^.*?: /, ""), 300)}.`,
      },
    };
  },
  "not-unique": ({ noun, nouns, key, value, first }) => ({
    message: `The ${key} ${quote(value)} is taken by another ${noun}, at ${first.file}:${first.line}:${first.column}.`,
    hint: "Each needs its own; case makes no difference.",
    cause: { several: `values of ${key} are taken by other ${nouns}, in ${first.file}`, value: quote(value) },
  }),
  alike: ({ field, value, other, request, first }) => ({
    message: `The values ${quote(value)} and ${quote(other)} of ${field}, the latter at ${first.file}:${first.line}:${first.column}, ${request === undefined ? "differ in case only, and paths may ignore case" : `would both be listed by ${request}`}.`,
    hint: "Write both alike, or change one of them.",
    cause: { several: `values of ${field} differ from others in nothing that paths have`, value: quote(value) },
  }),
  "no-such-item": ({ noun, key, value, meant, add }) => ({
    message: `There is no ${noun} with the ${key} ${quote(value)}.`,
    hint: didYouMean(meant) ?? (add === undefined ? "Add it, or name another." : `Add ${add}, or name another.`),
    cause: {
      several: `references lead to ${withArticle(noun)} that does not exist`,
      value: quote(value),
      aside: aside(didYouMean(meant)) ?? (add === undefined ? undefined : `add ${add}`),
      hint: "Add what is missing, or name another.",
    },
  }),
  "wrong-resource": ({ nouns, fits, severalFit, place }) => ({
    message: `This is ${withArticle(fits)}, but the file holds ${nouns}.`,
    hint: `Move it to ${place}.`,
    cause: { several: `${severalFit} are in files that hold ${nouns}`, hint: `Move them to ${place}.` },
  }),
  "wrong-collection": ({ noun, nouns, field, value, by, implied, impliedBy }) => ({
    message: `The ${by} says ${field} ${quote(value)}, but the ${impliedBy} says ${quote(implied)}.`,
    hint: by === noun ? `Move the ${noun}, or leave its ${field} out.` : "Rename one of the two.",
    cause: {
      several: `${by === noun ? nouns : `${by}s`} say another ${field} than the ${impliedBy}`,
      value: quote(value),
    },
  }),
  "no-collection": ({ noun, field, target, meant, missing }) =>
    missing === undefined
      ? {
          message: `Neither this ${noun} nor its file's name or folder says which ${target} it belongs to.`,
          hint: didYouMean(meant) ?? `Give it ${withArticle(field)}, or name the file or its folder after one.`,
        }
      : {
          message: `There is no ${missing.noun} ${quote(missing.name)}, which the file's path names.`,
          hint: didYouMean(meant) ?? `Add ${missing.add}, or give the ${noun} another ${missing.noun}.`,
        },
  "no-such-file": ({ key, value, meant }) => ({
    message: `There is no file ${value} in the content folder.`,
    hint: didYouMean(meant) ?? `Add it, or leave out ${key}.`,
  }),
  "no-such-deployment": ({ value, meant }) => ({
    message: `There is no deployment ${quote(value)}.`,
    hint: didYouMean(meant) ?? "Add it to deployments/, or name another.",
  }),
  "not-made": ({ what, reason, hint }) => ({
    message: `${what} fails: ${shown(reason, 300)}.`,
    hint,
    cause: { several: `items cannot be made: ${what} fails`, value: shown(reason, 300), aside: aside(hint) },
  }),
};

/** What to write into an empty file of each format. */
const contents: Readonly<Record<FaultDetails["empty-file"]["format"], string>> = {
  yaml: "its items into it; [] means none",
  json: "its items into it; [] means none",
  ndjson: "its items into it, one a line",
  csv: "a header: the names of the fields, separated by commas",
  markdown: "the fields between two lines ---, and the text below them",
};

const wrongValues = (owners: string, expected: string, value: string, hint: string | undefined): Cause => {
  const several = isPlain(expected) ? `are not ${shown(expected, 300)}` : `are refused: ${shown(expected, 300)}`;
  return { several: `${owners} ${several}`, value, aside: aside(hint) };
};

/** A message of the declaration may be a sentence of its own. */
function wrong(name: string, expected: string, value: unknown, written: string): string {
  if (!isSentence(expected)) return `${name} ${dutyOf(expected)}, but is ${describe(value, written)}.`;
  const isScalar = typeof value !== "object" || value === null;
  const is = isScalar ? ` It is ${describe(value, written)}.` : "";
  return `${name} is refused: ${sentenceOf(expected)}${is}`;
}

/** `must be …`; a message of the declaration may say more than "be". */
const dutyOf = (expected: string): string =>
  isPlain(expected) ? `must be ${shown(expected, 300)}` : shown(expected, 300).replace(/[.!]$/, "");

const isPlain = (expected: string): boolean => !isSentence(expected) && !/^must\b/.test(expected);

const sentenceOf = (message: string): string => `${shown(message, 300).replace(/[.!]$/, "")}.`;

/** `fields[].name` for any element of the list. */
const anyOf = (name: string): string => name.replace(/\[\d+\]/g, "[]");

/** Files have keys, items have fields. */
const fieldOf = (owner: string): string => (owner === "api.yaml" ? "key" : "field");

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** A hint in the form for brackets. */
const aside = (hint: string | undefined): string | undefined => hint && lower(hint).replace(/\.$/, "");

/** In YAML, `-id` is a key and not the first one of an element. */
const spaceHint = (field: string, known: readonly string[]): string | undefined =>
  field.startsWith("-") && known.includes(field.slice(1))
    ? `Put a space after the hyphen: ${quote(`- ${field.slice(1)}`)}.`
    : undefined;
