// The snippets for Caddy, which answer requests. The syntax of a Caddyfile: https://caddyserver.com/docs/caddyfile/concepts
import { asset } from "../../files/asset.ts";
import type { Param } from "../../routing/params.ts";
import { itemFolder } from "../../routing/paths.ts";
import type { ErrorAnswer, TableError, TableOperation } from "../../routing/table.ts";
import { invalidPart } from "../readings.ts";
import { filled, block as linesOf, literal, variable } from "../syntax.ts";
import { type HostView, oneOfPaths, targetWith } from "../view.ts";

/** In bytes, like the limit of other servers. A target with the usual parameters is shorter. */
export const longestTarget = 8_192;

/** The directives of a route, which take time in proportion to the length of the target. */
export function snippets(view: HostView): string {
  const { table, name, operations, outputs } = view;
  const { headers, methods, allow, methodNotAllowed, notFound, preflight, errorCacheControl, lost } = table;
  const [noStore = ""] = headerLines(name, { "Cache-Control": errorCacheControl });
  const deprecated = operations.flatMap(({ path, headers: notice }) => (notice === undefined ? [] : { path, notice }));
  const numbered = deprecated.map(({ path }, index): MapRow => {
    const pagesAndItems = `~^${literal(path)}(?:[/? ]|$)`;
    return [pagesAndItems, String(index + 1)];
  });
  const withoutNotice = outputs.flatMap(({ isBelowItems, paths }): readonly MapRow[] =>
    isBelowItems ? [[`~${targetWith(paths)}`, ""]] : [],
  );
  return filled(asset("hosts/caddy/site.conf"), {
    name,
    headers: headerLines(name, headers),
    longest: String(longestTarget),
    noStore: `header ${noStore}`,
    failing: [`header ${noStore}`, "# An error is always sent whole.", "request_header -If-*"],
    known: map(
      name,
      target,
      ["known"],
      view.known.map((path) => [`~${targetWith(path)}`, "1"]),
    ),
    preflight: headerLines(name, preflight),
    notFound: lost === undefined ? send(notFound) : sendMissing(view),
    methods: methods.join(" "),
    allow: headerLines(name, { Allow: allow }).map((line) => `header ${line}`),
    methodNotAllowed: send(methodNotAllowed),
    noticeMatchers: [
      ...(deprecated.length === 0 ? [] : map(name, target, ["notice"], [...withoutNotice, ...numbered])),
      ...numbered.map(([, number]) => `@${name}_notice_${number} vars {${name}_notice} ${number}`),
    ],
    notices: deprecated.flatMap(({ notice }, index) =>
      block(`header @${name}_notice_${index + 1}`, ...headerLines(name, notice)),
    ),
    operation: map(name, target, ["operation"], [[`~${targetWith(`(${oneOfPaths(operations)})`)}`, "$1"]]),
    documents: documentMaps(view),
    kinds: kindHeaders(view),
    redirects: map(
      name,
      target,
      ["to"],
      table.redirects.map((redirect) => [`~${targetWith(oneOfPaths([redirect]))}`, redirect.to]),
    ),
    parts: view.readings.flatMap((part) => map(name, target, [`part_${part.name}`], part.entries)),
    pages: pageMap(view),
    errors: chooseError(view),
    own: quoted(view.own),
  });
}

const send = ({ status, file }: TableError): readonly string[] => [
  `rewrite * /${file}`,
  ...block("file_server", `status ${status}`),
];

/** The answer to a path at which there is nothing, which may be the page for people. */
function sendMissing({ table: { notFound }, name, type, notFoundPlaces }: HostView): readonly string[] {
  const sent = ({ file, contentType = type }: ErrorAnswer) => [`/${file}`, verbatim(name, contentType)];
  return [
    ...map(
      name,
      target,
      ["nothing", "nothing_type"],
      notFoundPlaces.map(({ start, answer }) => [`~^${start}`, ...sent(answer)]),
      sent(notFound),
    ),
    `header Content-Type {${name}_nothing_type}`,
    `rewrite * {${name}_nothing}`,
    ...block("file_server", `status ${notFound.status}`),
  ];
}

/** The file of a document or single item, and its headers. */
function documentMaps(view: HostView): readonly string[] {
  const { name, base, type, operations } = view;
  const documents = view.documents.map(({ target, file, kind }): MapRow => [`~${target}`, file, String(kind)]);
  const items = view.items.flatMap(({ operations: lists, key }) =>
    lists.map(({ name: list, path }): MapRow => {
      const item = `${literal(base)}/(${list})/(${key})`;
      return [`~${targetWith(item)}`, `${base}/$1${itemFolder}$2.json`, path];
    }),
  );
  const kinds = [
    ...view.kinds.map((kind, index) => [String(index), kind.contentType, kind.cacheControl]),
    ...operations.map(({ path, cacheControl }) => [path, type, cacheControl]),
  ].map(([key = "", ...values]): MapRow => [key, ...values.map((value) => verbatim(name, value))]);
  return [
    ...map(name, target, ["document", "kind"], [...documents, ...items], [`/${invalidPart}`, ""]),
    ...map(name, `{${name}_kind}`, ["type", "stored"], kinds, ["", ""]),
  ];
}

/** The headers that only some kinds of documents have. */
const kindHeaders = ({ name, kinds }: HostView): readonly string[] =>
  kinds.flatMap(({ headers }, kind) => {
    if (headers === undefined) return [];
    const matcher = `@${name}_kind_${kind}`;
    return [`${matcher} vars {${name}_kind} ${kind}`, ...block(`header ${matcher}`, ...headerLines(name, headers))];
  });

/** For each operation: the page of a request, the errors in its place, and the pages that filters need. */
function pageMap({ table: { notFound }, name, base, operations, filterNumbers }: HostView): readonly string[] {
  const nothing = `/${notFound.file}`;
  const errorOf = (param: { readonly error: TableError } | undefined) => `/${(param?.error ?? notFound).file}`;
  return map(
    name,
    `{${name}_operation}`,
    [
      "page",
      "cache_control",
      "bad_limit",
      "bad_cursor",
      "status",
      ...filterNumbers.flatMap((n) => [`filter_${n}`, `wrong_${n}`]),
    ],
    operations.map((operation) => [
      operation.path,
      page(name, operation, operation.pathParams),
      verbatim(name, operation.cacheControl),
      errorOf(operation.limit),
      errorOf(operation.cursor),
      String(operation.params[0]?.error.status ?? notFound.status),
      ...filterNumbers.flatMap((n) => {
        const filter = operation.filters[n - 1];
        return filter === undefined ? [nothing, nothing] : [page(name, operation, [filter]), `/${filter.error.file}`];
      }),
    ]),
    [
      `${base}/${invalidPart}`,
      "",
      nothing,
      nothing,
      String(notFound.status),
      ...filterNumbers.flatMap(() => [nothing, nothing]),
    ],
  );
}

const page = (name: string, { path }: TableOperation, params: readonly Pick<Param, "name">[]): string =>
  `${path}${params.map((param) => `{${name}_part_${variable(param)}}`).join("")}.json`;

/** Rewrites to the error, from the last check to the first. */
function chooseError({ name, operations, conflicts, filterNumbers }: HostView): readonly string[] {
  const hasLimits = operations.some(({ limit }) => limit !== undefined);
  const when = (what: string, condition: string, error: string) => [
    `@${name}_${what} ${condition}`,
    ...block(`route @${name}_${what}`, `rewrite {${name}_${error}}`),
  ];
  return [
    `rewrite {${name}_bad_cursor}`,
    ...filterNumbers.toReversed().flatMap((n) => when(`filter_${n}`, `not file {${name}_filter_${n}}`, `wrong_${n}`)),
    ...(hasLimits ? when("limit", `vars {${name}_part_limit} ${invalidPart}`, "bad_limit") : []),
    ...(conflicts.length === 0
      ? []
      : [
          ...map(name, filterNumbers.map((n) => `{${name}_filter_${n}} `).join(""), ["clash"], conflicts),
          ...when("clash", `not vars {${name}_clash} ""`, "clash"),
        ]),
  ];
}

/** The request target as sent. */
const target = "{http.request.orig_uri}";

/** Caddy expands placeholders in most quoted texts. A text must not have a backslash before a quote or at its end. */
const quoted = (text: string): string => `"${text.replaceAll('"', '\\"')}"`;

/**
 * Keeps Caddy from expanding a text: placeholders, which site.conf defines, take the place of the two characters that could
 * start a syntax. `name` is the name of the API.
 */
const verbatim = (name: string, text: string): string =>
  text.replaceAll(/[{\\]/g, (character) => (character === "{" ? `{${name}_brace}` : `{${name}_backslash}`));

const block = (head: string, ...lines: readonly string[]): readonly string[] => linesOf(head, "\t", lines);

type MapRow = readonly [key: string, ...values: string[]];

/**
 * The first entry whose key equals the source, or whose expression after a tilde matches it, determines the outputs, whose
 * names start with the name of the API. The outputs of an expression have captures and no placeholders.
 */
const map = (
  name: string,
  source: string,
  outputs: readonly string[],
  entries: readonly MapRow[],
  otherwise: readonly string[] = [""],
): readonly string[] =>
  block(
    `map "${source}" ${outputs.map((output) => `{${name}_${output}}`).join(" ")}`,
    ...entries.map(inQuotes),
    `default ${inQuotes(otherwise)}`,
  );

const inQuotes = (values: readonly string[]): string => values.map(quoted).join(" ");

/** Lines of a block that sets headers. */
const headerLines = (name: string, headers: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(headers).map(([header, value]) => `${header} ${quoted(verbatim(name, value))}`);
