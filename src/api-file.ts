// Which files of a publish root are the API's.
import { apiFolder } from "./files.ts";
import { listOperations, operations } from "./operations.ts";

const alternatives = (names: readonly string[]): string => `(?:${names.join("|")})`;

/** Whether a path is of the form of an answer's file, of whatever content, deployment and page sizes. */
export function isApiFile(file: string): boolean {
  return apiFileForm.test(file);
}

const filters = listOperations.flatMap(({ filter }) => (filter === undefined ? [] : [filter.param]));

const apiFileForm = new RegExp(
  `^${apiFolder}/(?:${alternatives(operations.map(({ name }) => name))}` +
    `(?:/${alternatives(filters)}/[^/]+)?(?:/limit/[0-9]+)?(?:/cursor/[^/]+)?` +
    `|errors/(?:[^/]+/)?[^/]+)\\.json$`,
);
