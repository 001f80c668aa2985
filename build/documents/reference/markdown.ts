// The reference as Markdown, for assistants and terminals, from the sources of the HTML; and llms.txt, which names it.
import { markdownTable } from "markdown-table";
import type { ErrorBody } from "../../../src/answers/answers.ts";
import { filtersPath } from "../../../src/model/api.ts";
import type { Operation } from "../../../src/model/operation.ts";
import { type Document, textDocument } from "../../files/document.ts";
import { llmsPath, referencePath } from "../../routing/paths.ts";
import { documentPaths, markdownOf, overviewPath, requestPath } from "../describe/addresses.ts";
import { accessWords } from "../describe/audience.ts";
import type { Endpoint, Parameter } from "../describe/endpoints.ts";
import type { Example } from "../describe/examples.ts";
import type { Field } from "../describe/fields.ts";
import { explainedOn, pagesOfLists } from "../describe/reference-places.ts";
import { titleOf, titleOfResource } from "../describe/sentences.ts";
import { pagesIn, type Site } from "../describe/site.ts";
import { indentedJson } from "../frame/code.ts";
import { line, linkText, paragraph } from "../frame/markdown-text.ts";
import { shortened } from "../frame/samples.ts";
import { generalRules } from "../programs/openapi.ts";
import { answerFields } from "./resource.ts";
import { bodiesOfErrors, errorRows } from "./rules.ts";

const markdown = "text/markdown; charset=utf-8";

export function markdownDocuments(site: Site): readonly Document[] {
  const { reference } = documentPaths(site.api.base);
  return [
    textDocument(markdownOf(reference), markdown, startText(site)),
    ...pagesOfLists(site).map(({ operation: { name, purpose }, path }) => {
      const text = blocks(`# ${name}`, paragraph(purpose), ...partsOn(site, path));
      return textDocument(markdownOf(path), markdown, text);
    }),
    textDocument(llmsPath, "text/plain; charset=utf-8", llmsText(site)),
  ];
}

/** Paragraphs; those that are undefined or empty are left out. */
const blocks = (...parts: readonly (string | undefined)[]): string => `${parts.filter(Boolean).join("\n\n")}\n`;

/** What all operations share, and the operations and resources that have no page. */
function startText(site: Site): string {
  const { api, settings, texts } = site;
  const { reference } = documentPaths(api.base);
  const pages = pagesOfLists(site).map(({ operation: { name, purpose }, path }) =>
    linkLine(name, markdownOf(path), purpose),
  );
  const errors = errorRows(site).map(({ codes, status, cause, remedy }) => [
    codes.map((code) => `\`${code}\``).join(", "),
    `${status}`,
    cause,
    remedy,
  ]);
  return blocks(
    `# ${line(titleOf(site))}`,
    settings.description && paragraph(settings.description),
    `Base URL: \`${settings.url ?? ""}${api.base}\``,
    ...generalRules(site),
    "## Errors",
    markdownTable([["Code", "Status", "Cause", "Remedy"], ...errors]),
    texts.quotation && `## About\n\n${texts.quotation}`,
    pages.length > 0 ? `## Lists\n\n${pages.join("\n")}` : undefined,
    ...partsOn(site, reference),
  );
}

/** The operations and resources of a page. */
function partsOn(site: Site, page: string): readonly string[] {
  const { operations, endpoints } = explainedOn(site, page);
  if (endpoints.length === 0) return [];
  return [
    "## Operations",
    ...endpoints.flatMap((endpoint) => endpointParts(site, endpoint)),
    "## Resources",
    ...operations.flatMap((operation) => resourceParts(site, operation)),
  ];
}

function endpointParts(site: Site, endpoint: Endpoint): readonly string[] {
  const { operation, isItem, title, path, purpose, rules, notice, parameters } = endpoint;
  const errors = bodiesOfErrors(site, endpoint);
  const example = endpoint.filtered ?? endpoint.example;
  const about = [isItem ? operation.meaning : purpose, rules, notice].filter(Boolean).join(" ");
  return [
    `### ${line(title)}`,
    `\`GET ${path}\``,
    paragraph(about),
    ...(parameters.length === 0 ? [] : [`Parameters:\n\n${parameters.map(parameterLine).join("\n")}`]),
    line(`Response: ${endpoint.response} See ${titleOfResource(site, operation)} below for its fields.`),
    ...(errors.length === 0 ? [] : [`Errors:\n\n${errors.map(errorLine).join("\n")}`]),
    ...(example === undefined ? [] : exampleParts(site, operation, example)),
  ];
}

function parameterLine({ name, in: place, meaning, schema }: Parameter): string {
  const fallback = schema.default === undefined ? "" : ` Defaults to ${schema.default}.`;
  return line(`- \`${name}\` (${schema.type}${place === "path" ? ", in the path" : ""}): ${meaning}${fallback}`);
}

const errorLine = ({ status, code, message }: ErrorBody): string => line(`- ${status} \`${code}\`: ${message}`);

/** The most elements of a list that an example shows. */
const maxElements = 2;

const exampleParts = (site: Site, operation: Operation, example: Example): readonly string[] => [
  `\`GET ${requestPath(site.api, operation, example)}\` returns:`,
  `\`\`\`json\n${indentedJson(shortened(example.answer, maxElements))}\n\`\`\``,
];

const resourceParts = (site: Site, operation: Operation): readonly string[] => [
  `### ${line(titleOfResource(site, operation))}`,
  paragraph(operation.meaning),
  answerFields(site, operation).map(fieldLine).join("\n"),
];

function fieldLine({ path, type, isOptional, form, words, meaning }: Field): string {
  const values = words.length === 0 ? "" : ` One of ${words.map((word) => `\`${word}\``).join(", ")}.`;
  const end = form === undefined ? "" : ` (${form})`;
  return line(`- \`${path}\` (${type}${isOptional ? ", optional" : ""}): ${meaning}${values}${end}`);
}

/** What an assistant reads first: a line for each document. */
function llmsText(site: Site): string {
  const { api, settings, operations, dumps } = site;
  const { reference, openapi } = documentPaths(api.base);
  const { url = "", mount } = settings;
  const link = (title: string, path: string, about: string) => linkLine(title, `${url}${path}`, about);
  const schemas = operations.map(({ name, meaning }) => link(name, `${api.base}/schemas/${name}.json`, meaning));
  const data = Array.from(dumps, ([name, { path }]) => link(name, path, "All items, one a line."));
  const counts = operations
    .filter(({ kind }) => kind === "list")
    .map(({ name }) => link(name, filtersPath(api.base, name), "The values of its filters, with counts."));
  const pages = pagesIn(site).map(({ title, path }) => link(title, path, "A page for people."));
  const others = (site.catalog.placement?.others ?? []).map(({ base, title }) =>
    link(title ?? base, markdownOf(referencePath(mount + base)), "Another API of this host."),
  );
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? undefined : `## ${title}\n\n${lines.join("\n")}`;
  return blocks(
    `# ${line(titleOf(site))}`,
    `> ${paragraph(settings.description ?? "A read-only JSON API.")}`,
    paragraph(accessWords(site)),
    section("Reference", [
      link("Reference", markdownOf(reference), "Operations, parameters, fields and errors, as Markdown."),
      link("OpenAPI", openapi, "The same for programs, as OpenAPI 3.1."),
      link("Overview", overviewPath(api), "The lists with their order, filters and number of items, as JSON."),
    ]),
    section("JSON Schemas", schemas),
    section("Data", data),
    section("Counts", counts),
    section("Other APIs", others),
    section("Optional", pages),
  );
}

const linkLine = (title: string, address: string, about: string): string =>
  line(`- [${linkText(title)}](${address}): ${about}`);
