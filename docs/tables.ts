// The generated tables of the README and of docs/, from the declarations of the operations and of the hosts.
import { markdownTable } from "markdown-table";
import * as z from "zod";
import { type Code, codes } from "../build/codes.ts";
import { impliedFields } from "../build/content/globs.ts";
import { documentedFields, type Field } from "../build/documents/describe/fields.ts";
import type { HostAdapter } from "../build/hosts/host.ts";
import { integer } from "../build/text/words.ts";
import { groupBy } from "../build/values/group-by.ts";
import { listNamed } from "../src/model/api.ts";
import { type Schema, schemasIn } from "../src/model/kinds.ts";
import { meaningsIn } from "../src/model/meanings.ts";
import type { Operation } from "../src/model/operation.ts";
import { declaredOrder, orderName } from "../src/model/order.ts";
import { behaviourTitles, deviationsOf, type Survey } from "../test/check/behaviours.ts";
import { paramsOf } from "../test/check/requests.ts";
import { edgeNetwork } from "../test/edge-network.ts";

/** A host with its page, docs/hosts/NAME.md. */
export interface DescribedHost {
  readonly host: HostAdapter;
  /** Its heading. */
  readonly title: string;
  /** Its first paragraph. */
  readonly summary: string;
}

/** Replaces the text between the two comments of a name. */
export function between(page: string, name: string, text: string): string {
  const parts = new RegExp(`^(.*<!-- ${name} -->\n).*(<!-- /${name} -->\n.*)$`, "s").exec(page);
  if (parts === null) throw new Error(`It lacks ${name}.`);
  return `${parts[1]}\n${text}\n\n${parts[2]}`;
}

export const operationsTable = (operations: readonly Operation[]): string =>
  table(
    ["operation", "parameters", "order of items", "Cache-Control"],
    operations.map((operation) => [
      code(`GET /api/v1/${operation.name}`),
      paramsOf(operation).map(code).join(", "),
      operation.kind === "list" ? operation.order.map((rule) => orderName(declaredOrder(rule))).join(", ") : "",
      code(operation.cache),
    ]),
  );

/** A section with a table of the fields that authors write, for each operation. */
export const fieldTables = (operations: readonly Operation[]): string =>
  operations
    .map((operation) => {
      const { kind, name } = operation;
      const file = kind === "document" ? `each file of \`content/deployments/\`` : `\`content/${name}.yaml\``;
      const words = vocabulariesOf(operation);
      const rows = fieldsOf(operation).map((field) => [
        code(field.path),
        [...formsOf(field, words.get(field.path)), ...rulesOf(operation, field.path)].join("; "),
        field.meaning,
      ]);
      const fields = table(["field", "form", "meaning"], rows);
      return `### ${name}\n\n${operation.meaning} In ${file}.\n\n${fields}`;
    })
    .join("\n\n");

function fieldsOf(operation: Operation, vocabulary = {}): readonly Field[] {
  if (operation.kind === "document")
    return documentedFields(operation.content(vocabulary), operation.meanings, operation.example);
  const { written = operation, example } = operation;
  const fields = documentedFields(written.schema(vocabulary), written.meanings, example);
  const paths = new Map(written.assets.map(({ field, isImage }) => [field, isImage ? "picture" : "file"]));
  // Only answers have more than the path of a file.
  return fields
    .filter(({ path }) => [...paths.keys()].every((file) => !path.startsWith(`${file}.`)))
    .map((field) => {
      const file = paths.get(field.path);
      return file === undefined ? field : { ...field, form: `the path of a ${file} below content/` };
    });
}

/** For each field with a vocabulary, by its path, the name of the vocabulary. Each vocabulary is probed with one word. */
function vocabulariesOf(operation: Operation): ReadonlyMap<string, string> {
  const probe = "word";
  return new Map(
    edgeNetwork.vocabularies.flatMap(({ name }) =>
      fieldsOf(operation, { [name]: [probe] })
        .filter(({ words }) => words.includes(probe))
        .map(({ path }) => [path, name] as const),
    ),
  );
}

const formsOf = ({ form, type, isOptional }: Field, vocabulary: string | undefined): readonly string[] => [
  form ?? (type === "boolean" ? "true or false" : type),
  ...(vocabulary === undefined ? [] : [`vocabulary ${code(vocabulary)}`]),
  ...(isOptional ? ["may be left out"] : []),
];

/** The rules of a field that depend on other items and fields. */
function rulesOf(operation: Operation, path: string): readonly string[] {
  if (operation.kind === "document") return [];
  const { key, references } = operation;
  const reference = references.find(({ field }) => field === path);
  const to = reference && listNamed(edgeNetwork, reference.to);
  return [
    ...(path === key ? ["unique, also when case is ignored"] : []),
    ...(to ? [`the ${code(to.key)} of one of [${to.name}](#${to.name})`] : []),
    ...(impliedFields(operation).includes(path)
      ? ["may be left out if the file, or the first folder, has its name"]
      : []),
  ];
}

type Meaning = (typeof codes)[Code];

/** A row for each code of some messages. */
export const codesTable = (isListed: (meaning: Meaning) => boolean): string =>
  table(
    ["code", "what is wrong"],
    Object.entries(codes)
      .filter(([, meaning]) => isListed(meaning))
      .map(([name, { means }]) => [code(name), means]),
  );

/** A section for each output in JSON, with its members. A schema that several outputs share is listed once. */
export function outputTables(outputs: Readonly<Record<string, z.ZodObject>>): string {
  const listed = new Set<Schema>();
  const sections = Object.entries(outputs).map(([title, schema]) => {
    const parts = groupBy(schemasIn(schema), ([path]) => path);
    const rows = documentedFields(schema, meaningsIn(schema), {}).flatMap(({ path, type, isOptional, meaning }) => {
      const schemas = (parts.get(path) ?? []).map(([, part]) => part);
      if (schemas.some((part) => listed.has(part))) return [];
      for (const part of schemas) if (z.globalRegistry.has(part)) listed.add(part);
      return [[code(path), isOptional ? `${type}, optional` : type, meaning]];
    });
    return `## ${title}\n\n${table(["member", "type", "meaning"], rows)}`;
  });
  return sections.join("\n\n");
}

/** A row for each host, for a page in docs/hosts. */
export const hostsTable = (hosts: readonly DescribedHost[], site: Survey): string =>
  table(
    ["host", "`--host`", "description", "deviates on"],
    hosts.map(({ host, title, summary }) => {
      const page = `${host.name}.md`;
      const missing = deviationsOf(host, site).flatMap(({ all, title }) => (all ? title : []));
      const all = missing.length === behaviourTitles.length ? "all requests" : missing.join(", ");
      return [`[${title}](${page})`, code(host.name), summary, `[${all || "unusual requests"}](${page}#gaps)`];
    }),
  );

/** A row for each host, a column for each kind of answer. */
export const behavioursTable = (hosts: readonly DescribedHost[], site: Survey): string =>
  table(
    ["", ...behaviourTitles],
    hosts.map(({ host }) => [
      `[${host.name}](${host.name}.md#gaps)`,
      ...deviationsOf(host, site).map(({ gaps, all }) => {
        const numbers = gaps.map((gap) => host.gaps.indexOf(gap) + 1).join(", ");
        return gaps.length === 0 ? "✓" : `${all ? "✗" : "✓"} ${numbers}`;
      }),
    ]),
  );

/** The gaps, the limits and the unproven facts of a host. */
export function gapsText({ gaps, unproven = [], limits = [] }: HostAdapter): string {
  const parts = [
    "Requests whose answers differ from the contract:",
    gaps.map((gap, index) => `${index + 1}. ${gap.requests}: ${gap.happens}, because ${gap.reason}.`).join("\n"),
  ];
  const rows = limits.map(({ what, max, plan = "", source }) => [`[${what}](${source})`, integer(max), plan]);
  if (rows.length > 0) parts.push("### Limits", table(["limit", "at most", "of the plan"], rows));
  if (unproven.length > 0) {
    const relied = "The configuration relies on these facts, and only the servers of the host can prove them:";
    parts.push("### Not proven", relied, unproven.map((text) => `- ${text}`).join("\n"));
  }
  return parts.join("\n\n");
}

export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  markdownTable(
    [head, ...rows].map((cells) => cells.map((cell) => cell.replaceAll("|", "\\|"))),
    { alignDelimiters: false },
  );

const code = (text: string): string => `\`${text}\``;
