// The content of a new repository: the example of each operation's resource, with the meaning of its fields in comments.
import { stringify } from "yaml";
import type { Api } from "../../../src/api.ts";
import type { ListOperation } from "../../../src/operation.ts";
import type { Item, Resource } from "../../../src/resource.ts";
import { usualDeployment } from "../../content/deployments.ts";
import type { Template } from "./template.ts";

/** The files by their paths in `content/`. `title` is the title of the API. */
export const starterContent = (
  api: Api,
  template: Template,
  title: string,
  host: string,
): ReadonlyMap<string, string> =>
  new Map([
    ["api.yaml", settings(api, template, title, host)],
    ...api.lists.map((operation): [string, string] => [
      `${operation.name}.yaml`,
      itemsFile(api, operation, template.items.get(operation.name) ?? [operation.resource.example]),
    ]),
    ...(api.documents.length === 0 ? [] : [[`deployments/${usualDeployment}.yaml`, deploymentFile(api)] as const]),
  ]);

const settings = ({ vocabularies }: Api, { pageSizes, hasCountries }: Template, title: string, host: string): string =>
  `\
# Settings of the whole API. All of them are optional, and so is this file.

${stringify({ title })}
# The address of the published API, for the reference and for programs that read openapi.json:
# url: https://api.example.com

# The hosts that the API is built for:
hosts: [${host}]

# The values of \`limit\` that have pages of exactly that size. "every" is each integer from 1 to 100, which suits up to a few
# thousand items: each list, and each value of a filter, then has the pages of a hundred sizes, so even a few items make some
# hundred files. A list makes fewer; another limit is answered with the next smaller size.
page_sizes: ${pageSizes} # or ${pageSizes === "every" ? "[1, 5, 10, 25, 50, 100]" : "every"}

# How lists are split into pages. "exact": every page but the last is full. "stable", for lists of many thousands of items: a page may
# be up to a fifth shorter, and a commit changes only the pages around its edits.
paging: exact

# How long a cursor works after the first build that no longer returns it:
cursor_lifetime: 15m

${wordLists(vocabularies)}${hasCountries ? countries : ""}`.replace(/\n+$/, "\n");

const countries = `\
# Countries are codes of ISO 3166-1. To use another code:
# additional_countries: [XK]
`;

function wordLists(vocabularies: Api["vocabularies"]): string {
  const open = vocabularies.filter(({ suggested }) => suggested.length === 0).map(({ name }) => name);
  const lists = vocabularies.filter(({ suggested }) => suggested.length > 0);
  if (lists.length === 0) return "";
  return `\
# The words that the data may use. \`npm run check\` reports any other word, and suggests the one that was probably meant. Add
# the words that you need. Without a list, any word of the right form is valid${open.length === 0 ? "" : `: so it is for ${open.join(" and ")}`}.
vocabulary:
${lists.map(({ name, suggested }) => `  ${name}: [${suggested.join(", ")}]\n`).join("")}
`;
}

function itemsFile({ base }: Api, { name, resource }: ListOperation, items: readonly Item[]): string {
  const { meaning, meanings, references, key } = resource;
  const all: Item = Object.assign({}, ...items);
  return [
    comment(meaning, `The API lists them at ${base}/${name}.`, "", ...table(meanings, all), ""),
    comment(`No two have the same ${key}.`, ...references.map(linkText)),
    `\n${stringify(items, { lineWidth: 0 })}`,
  ].join("");
}

const linkText = ({ field, to }: Resource["references"][number]): string =>
  `Its ${field} names one of the items in ${to}.yaml.`;

const deploymentFile = ({ base, operations, documents }: Api): string =>
  [
    comment("The operations that the API answers. A build makes one deployment, `edge` unless another one is named."),
    `\noperations: [${operations.map(({ name }) => name).join(", ")}]\n`,
    ...documents.map(
      ({ name, resource: { meaning, meanings, example } }) =>
        `\n${comment(`${meaning} The API answers it at ${base}/${name}.`, "", ...table(meanings, example))}\n${stringify({ [name]: example }, { lineWidth: 0 })}`,
    ),
  ].join("");

/** A line for each field that an author writes, with its meaning in a column. */
function table(meanings: Readonly<Record<string, string>>, example: Item): readonly string[] {
  const rows = Object.entries(meanings).filter(([field]) => example[field.replace(/\[.*/, "")] !== undefined);
  const width = Math.max(...rows.map(([field]) => field.length));
  return rows.map(([field, meaning]) => `  ${field.padEnd(width)}  ${meaning}`);
}

const comment = (...lines: readonly string[]): string => lines.map((line) => `${`# ${line}`.trimEnd()}\n`).join("");
