// The data that a new repository starts with: for each operation of the table the example of its resource, and in the
// comments what its fields mean.
import { stringify } from "yaml";
import { base } from "../../src/base.ts";
import { documentOperations, type ListOperation, listOperations, operations } from "../../src/operations.ts";
import type { Item, Resource } from "../../src/resource.ts";
import { vocabularies } from "../../src/vocabulary.ts";

/** The name of the deployment, which a build takes when it is given no other. */
const deployment = "edge";

/** The files by their paths in `content/`. `title` is the API's. */
export const starterContent = (title: string): ReadonlyMap<string, string> =>
  new Map([
    ["api.yaml", settings(title)],
    ...listOperations.map((operation): [string, string] => [`${operation.name}.yaml`, items(operation)]),
    [`deployments/${deployment}.yaml`, deploymentFile()],
  ]);

const [words, ...others] = Object.keys(vocabularies);

const settings = (title: string): string => `\
# What the API is as a whole. Everything in this file is optional, and so is the file.

${stringify({ title })}
# The address it is published at, for the reference and for programs that read openapi.json:
# url: https://api.example.com

# The values of \`limit\` that have pages of their own. "every" is every integer from 1 to 100, which suits hundreds or a
# few thousand items. A list makes fewer files of more items; other limits are answered with the next smaller size.
page_sizes: every # or [1, 5, 10, 25, 50, 100]

# Where pages end. "exact": every page but the last is full. "stable", for lists of many thousands of items: a page may
# be up to a fifth shorter, and a commit changes only the pages around its edits.
paging: exact

# How long a reader may go on with a cursor that an earlier build has returned:
cursor_lifetime: 15m

# The words that the data may use. Without a list any lowercase word will do, a misspelt one, too; with one, \`npm run
# check\` reports all others, and suggests the one that was meant.
# vocabulary:
#   ${words}: [operational, degraded, maintenance, offline]
# There may also be lists for ${others.join(", ")}.
`;

function items({ name, resource }: ListOperation): string {
  const { meaning, meanings, references, key, example } = resource;
  return [
    comment(meaning, `The API lists them at ${base}/${name}.`, "", ...table(meanings, example), ""),
    comment(`No two have the same ${key}.`, ...references.map(linkText)),
    `\n${stringify([example], { lineWidth: 0 })}`,
  ].join("");
}

const linkText = ({ field, to }: Resource["references"][number]): string =>
  `Its ${field} names one of the items in ${to}.yaml.`;

const deploymentFile = (): string =>
  [
    comment("What one host answers. One build makes one deployment; `edge` is built when no other is named."),
    `\noperations: [${operations.map(({ name }) => name).join(", ")}]\n`,
    ...documentOperations.map(
      ({ name, resource: { meaning, meanings, example } }) =>
        `\n${comment(`${meaning} The API answers it at ${base}/${name}.`, "", ...table(meanings, example))}\n${stringify({ [name]: example }, { lineWidth: 0 })}`,
    ),
  ].join("");

/** A line for each field that a publisher writes, with what it means in a column. */
function table(meanings: Readonly<Record<string, string>>, example: Item): readonly string[] {
  const rows = Object.entries(meanings).filter(([field]) => example[field.replace(/\[.*/, "")] !== undefined);
  const width = Math.max(...rows.map(([field]) => field.length));
  return rows.map(([field, meaning]) => `  ${field.padEnd(width)}  ${meaning}`);
}

const comment = (...lines: readonly string[]): string => lines.map((line) => `${`# ${line}`.trimEnd()}\n`).join("");
