import { expect, it } from "vitest";
import { operations } from "../../../src/operations.ts";
import { everyPageSize } from "../../../src/paging.ts";
import { ownedFiles } from "../../routing/owned.ts";
import { makeTable } from "../../routing/table.ts";
import { formsOf } from "./forms.ts";

const documents = ["api/v1.json", "api/v1/docs/index.html", ".well-known/api-catalog"].map((file) => ({
  path: `/${file}`,
  file,
  contentType: "text/plain",
  cacheControl: "no-store",
}));
const table = makeTable(
  operations.map(({ name }) => name),
  () => everyPageSize,
  documents,
);
const expressions = formsOf(table, ["api/.htaccess"]).map((form) => new RegExp(form));
const matches = (file: string): boolean => expressions.some((each) => each.test(file));

const paths = table.operations.flatMap(({ name, params }) => {
  const parts = params.map((param) => `/${param.name}/k3`);
  return [
    name,
    `${name}${parts.join("")}`,
    `${name}${parts.toReversed().join("")}/more`,
    `${name}/other/k3`,
    `${name}s`,
  ];
});
const files = [
  ...paths.map((file) => `api/v1/${file}.json`),
  ...documents.map(({ file }) => file),
  "api/v1/errors/not_found.json",
  "api/v1/errors/some/not_found.json",
  "api/v1/errors/some/deeper/not_found.json",
  "api/v2/errors/not_found.json",
  "api/v1xjson",
  "x/api/v1.json",
];

it("recognises the files that a build owns", () => {
  const all = files.flatMap((file) => [file, `${file}.br`, `${file}.gz`, `${file}.zip`]);
  const owned = ownedFiles(table);
  expect(all.filter(matches)).toEqual(all.filter(owned));
  expect(all.filter(matches).length).toBeGreaterThan(20);
  expect(["routing.json", "api/.htaccess", "api/xhtaccess"].map(matches)).toEqual([true, true, false]);
});

it("recognises no path that xargs would split", () => {
  for (const odd of ["a b", "a'b", 'a"b', "a\\b", "a\nb"]) expect(matches(`api/v1/errors/${odd}.json`)).toBe(false);
});
