// The content of a new repository: the example of each operation's resource, with the meaning of its fields in comments.
import { stringify } from "yaml";
import type { Api } from "../../../src/api.ts";
import type { ListOperation } from "../../../src/operation.ts";
import { type Item, keyFields, type Resource } from "../../../src/resource.ts";
import { usualDeployment } from "../../content/deployments.ts";
import { documentedFields, hasFurtherFields } from "../../documents/fields.ts";
import { itemPath } from "../../documents/source.ts";
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

# The accent of the reference, and a logo beside this file:
# accent: "#0a5bc2"
# logo: logo.svg

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

function itemsFile(api: Api, operation: ListOperation, items: readonly Item[]): string {
  const { name, resource, item, brief } = operation;
  const { meaning, references, innerReferences } = resource;
  const single = item === undefined ? "" : `, and each of them at ${itemPath(api, operation)}`;
  const listed = brief === undefined ? [] : [`Lists have these fields: ${brief.join(", ")}.`];
  const other = item?.aliases === undefined ? "" : `, and no key is among the ${item.aliases} of another`;
  return [
    comment(
      meaning,
      `The API lists them at ${api.base}/${name}${single}.`,
      ...listed,
      "",
      ...table(resource, resource.schema({})),
      "",
    ),
    comment(
      `No two have the same ${keyFields(resource).join(" and ")}${other}.`,
      ...[...references, ...innerReferences].map(linkText),
    ),
    `\n${stringify(items, { lineWidth: 0 })}`,
  ].join("");
}

function linkText({ field, to }: Resource["references"][number]): string {
  const list = /^([^[*]+)(?:\[\]|\.\*)$/.exec(field)?.[1];
  const who = list !== undefined ? `Each of its ${list}` : /[[*]/.test(field) ? `Each ${field}` : `Its ${field}`;
  return `${who} names one of the items in ${to}.yaml.`;
}

const deploymentFile = ({ base, operations, documents }: Api): string =>
  [
    comment("The operations that the API answers. A build makes one deployment, `edge` unless another one is named."),
    `\noperations: [${operations.map(({ name }) => name).join(", ")}]\n`,
    ...documents.map(
      ({ name, resource }) =>
        `\n${comment(`${resource.meaning} The API answers it at ${base}/${name}.`, "", ...table(resource, resource.content({})))}\n${stringify({ [name]: resource.example }, { lineWidth: 0 })}`,
    ),
  ].join("");

/** A line for each field that an author writes, with its meaning, or its type, in a column. */
function table(
  { meanings, example }: Pick<Resource, "meanings" | "example">,
  schema: ReturnType<Resource["schema"]>,
): readonly string[] {
  const fields = documentedFields(schema, meanings, example);
  const width = Math.max(...fields.map(({ path }) => path.length));
  const rows = fields.map(({ path, meaning, type, isOptional }) => {
    const about = meaning === "" ? `${type.charAt(0).toUpperCase()}${type.slice(1)}.` : meaning;
    return `  ${path.padEnd(width)}  ${isOptional ? `Optional. ${about}` : about}`;
  });
  return hasFurtherFields(schema) ? [...rows, "", "Further fields are possible."] : rows;
}

const comment = (...lines: readonly string[]): string => lines.map((line) => `${`# ${line}`.trimEnd()}\n`).join("");
