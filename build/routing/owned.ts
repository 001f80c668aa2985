// Which files of a publish root are the API's.

import { listOperations, operations } from "../../src/operations.ts";
import { apiFolder } from "./paths.ts";
import { encodings, suffixes } from "./sidecar.ts";

const alternatives = (names: readonly string[]): string => `(?:${names.join("|")})`;

/** Whether a path is of the form of an answer's file or of its sidecar, of whatever content, deployment and page sizes. */
export function isApiFile(file: string): boolean {
  return pageForm.test(file) || sidecarForm.test(file) || errorForm.test(file);
}

/** Whether it is the form of an answer's file that is no error. These have sidecars. */
export function isPageFile(file: string): boolean {
  return pageForm.test(file);
}

const filters = listOperations.flatMap(({ filter }) => (filter === undefined ? [] : [filter.param]));

const page =
  `^${apiFolder}/${alternatives(operations.map(({ name }) => name))}` +
  `(?:/${alternatives(filters)}/[^/]+)?(?:/limit/[0-9]+)?(?:/cursor/[^/]+)?\\.json`;

const pageForm = new RegExp(`${page}$`);
const sidecarForm = new RegExp(`${page}${alternatives(encodings.map((each) => suffixes[each].replace(".", "\\.")))}$`);
const errorForm = new RegExp(`^${apiFolder}/errors/(?:[^/]+/)?[^/]+\\.json$`);
