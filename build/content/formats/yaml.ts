// YAML 1.2 with its core schema: NO is a string and so is an unquoted timestamp, while 3.10 and 1e3 are numbers.
import { type Document, isMap, isScalar } from "yaml";
import { type Path, unread } from "../source.ts";
import {
  type ContentFormat,
  rootValues,
  type Shape,
  type Span,
  type TextProblem,
  type TextReading,
  unreadable,
} from "./format.ts";
import { composeYaml } from "./yaml-compose.ts";
import { placesIn } from "./yaml-places.ts";
import { isList, readSections, sectionPlaces } from "./yaml-sections.ts";
import { readDocument } from "./yaml-values.ts";

export const yaml: ContentFormat = {
  label: "YAML",
  read(text) {
    const { documents, problems: found, readable } = composeYaml(text);
    if (!readable) return readRest(text, documents, found);
    const [first, second] = documents.filter((document) => !isEmpty(document));
    if (first === undefined) return unreadable(...found, { code: "empty-file", span: { start: 0, end: 0 } });
    const problems = second === undefined ? [...found] : [...found, severalDocuments(text, second)];
    const values: TextReading["values"][number][] = [];
    let shape: Shape = "documents";
    for (const [index, document] of documents.entries()) {
      if (isEmpty(document)) continue;
      const read = readDocument(document, text.length);
      for (const problem of read.problems) problems.push(problem);
      if (read.bomb) return { ...unreadable(), problems };
      const own = rootValues(read.value);
      if (second === undefined) shape = own.shape;
      for (const { path, value } of own.values) values.push({ path: inDocument(documents, index, path), value });
    }
    return { values, shape, problems, whole: true };
  },
  open(text) {
    const { documents, readable } = composeYaml(text);
    return !readable && documents.length === 1 && isList(text) ? sectionPlaces(text) : placesIn(documents, text.length);
  },
};

/**
 * The readable parts of a text after which the parser is lost: single elements of a list, or an object up to the
 * mistake.
 */
function readRest(text: string, documents: readonly Document.Parsed[], problems: readonly TextProblem[]): TextReading {
  const [document, second] = documents;
  const nothing = { ...unreadable(), problems };
  if (document === undefined || second !== undefined) return nothing;
  if (isList(text)) return readSections(text) ?? nothing;
  const { contents } = document;
  if (!isMap(contents)) return nothing;
  const lost = problems.reduce((least, { span }) => Math.min(least, span.start), text.length);
  const before = contents.items.filter(({ key }) => key.range[0] < lost);
  // The last key may have swallowed the text after it.
  const names = before.slice(0, -1).flatMap(({ key }) => (isScalar(key) ? [String(key.value)] : []));
  const { value } = readDocument(document, text.length);
  const known = Object.fromEntries(names.map((name) => [name, Object(value)[name]]));
  return { ...nothing, values: [{ path: [], value: { ...known, [unread]: true } }] };
}

/** A document without a value, as after a last `---`. */
const isEmpty = ({ contents }: Document.Parsed): boolean =>
  contents === null || (isScalar(contents) && contents.value === null && contents.range?.[0] === contents.range?.[1]);

/** A path in the form that `placesIn` takes. */
const inDocument = (documents: readonly unknown[], index: number, path: Path): Path =>
  documents.length > 1 ? [index, ...path] : path;

function severalDocuments(text: string, { range: [start] }: Document.Parsed): TextProblem {
  const span: Span = { start, end: start + (text.startsWith("---", start) ? 3 : 1) };
  return { code: "several-documents", span };
}
