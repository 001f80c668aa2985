// deployments/NAME.yaml: the operations of a deployment, and the content of its documents. Of several APIs, a deployment
// leaves out those of which it names nothing.
import * as z from "zod";
import type { Vocabulary } from "../../../src/declare/vocabulary.ts";
import type { Api } from "../../../src/model/api.ts";
import { Failure } from "../../../src/model/failure.ts";
import { fieldOf, isObject, ownField, setField } from "../../../src/model/fields.ts";
import type { Item } from "../../../src/model/key.ts";
import type { DocumentOperation } from "../../../src/model/operation.ts";
import { MachineError } from "../../files/machine-error.ts";
import { type Draft, type Log, wholeFile } from "../../messages.ts";
import { quote } from "../../text/quote.ts";
import { nearest } from "../../text/slips.ts";
import type { Catalog, Deployment } from "../catalog.ts";
import { type Folder, isEmpty } from "../folder.ts";
import { copyOf, dataOf } from "../formats/data.ts";
import { readOne } from "../formats/values.ts";
import { failedText, notDataText } from "../make/functions.ts";
import { calledBy, type PlaceIn, validator } from "../validate.ts";

/** The name of the deployment that is built if none is named. */
export const usualDeployment = "edge";

/**
 * The list of operations, and the content of each document under the name of its operation, as the file has it. The documents
 * of the other APIs may be anything. `formOf`: the form of a document; without one, it is any object.
 */
export function deploymentSchema(
  api: Api,
  vocabulary: Vocabulary,
  apis: readonly Api[],
  formOf: (document: DocumentOperation) => DocumentOperation["content"] | undefined,
) {
  const names = [...new Set(apis.flatMap(({ operations }) => operations.map(({ name }) => name)))];
  const list = z.array(z.enum(names, `one of ${names.join(", ")}`), "a list of operations");
  const foreign = apis.flatMap(({ documents }) => documents.map(({ name }) => [name, z.unknown().optional()] as const));
  const documents = api.documents.map((document) => {
    const content = formOf(document)?.(vocabulary) ?? z.record(z.string(), z.unknown());
    return [document.name, document.required ? content : content.optional()] as const;
  });
  const fields = Object.fromEntries<z.ZodType>([...foreign, ...documents]);
  const form = z.strictObject({ operations: list, ...fields }).superRefine((deployment, context) => {
    const { operations } = deployment as DeploymentContent;
    for (const { name } of api.documents) {
      if (!operations.includes(name) || Object.hasOwn(deployment, name)) continue;
      context.addIssue({ code: "custom", path: [name], message: "the content of this operation, which it lists" });
    }
  });
  return form as z.ZodType<DeploymentContent>;
}

/**
 * The deployments of an API by the names of their files. Without files there is one deployment, if no document is required.
 * `all` are the folders of all APIs.
 */
export function readDeployments(
  folder: Folder,
  all: readonly Folder[],
  vocabulary: Vocabulary,
  log: Log,
): ReadonlyMap<string, Deployment> {
  const { api, files } = folder;
  const apis = all.map((other) => other.api);
  const formOf = ({ transform, content }: DocumentOperation) => (transform === undefined ? content : undefined);
  const validate = validator(deploymentSchema(api, vocabulary, apis, formOf), calledBy("deployment"));
  const firsts = new Map<string, string>();
  const deployments = new Map<string, Deployment>();
  for (const file of files) {
    if (file.role.kind !== "deployment") continue;
    const { name } = file.role;
    const first = firsts.get(name);
    if (first === undefined) firsts.set(name, file.file);
    else log.report(nameTaken(file.file, name, first));
    const { data, at: place } = readOne(file, "deployment", log);
    if (data === undefined) continue;
    const at: PlaceIn = (path, part) => place.spot(path, part);
    if (apis.length > 1 && isLeftOut(api, apis, data)) {
      deployments.set(name, { name, operations: [], documents: new Map() });
      continue;
    }
    const valid = validate(data, at, log.report);
    const content = valid && transformed(api, valid, vocabulary, at, log);
    if (content !== undefined) deployments.set(name, deploymentOf(api, name, content));
  }
  if (!isImplied(folder)) return deployments;
  const operations = api.lists.map(({ name }) => name);
  return new Map([[usualDeployment, { name: usualDeployment, operations, documents: new Map() }]]);
}

/** Whether a deployment names nothing of an API, and something of another one: a name that no API has is a fault. */
function isLeftOut(api: Api, apis: readonly Api[], deployment: unknown): boolean {
  const listed: unknown = fieldOf(deployment, "operations");
  const names = new Set<unknown>([...(Array.isArray(listed) ? listed : []), ...Object.keys(Object(deployment))]);
  const isNamed = ({ operations }: Api) => operations.some(({ name }) => names.has(name));
  return !isNamed(api) && apis.some(isNamed);
}

/** The content with the documents that the declaration makes from it; undefined if one is refused, which is reported. */
function transformed(
  api: Api,
  content: DeploymentContent,
  vocabulary: Vocabulary,
  at: PlaceIn,
  log: Log,
): DeploymentContent | undefined {
  const made: Record<string, unknown> = {};
  for (const { name, transform, content: contentFor } of api.documents) {
    const raw = ownField(content, name);
    if (transform === undefined || !isObject(raw)) continue;
    const refuse = (text: string) => log.report({ code: "not-made", at: at([name]), text });
    const what = `The transform of ${name}`;
    const returned = transform(Object(copyOf(raw)));
    if (returned instanceof Failure) {
      refuse(failedText(what, returned));
      return undefined;
    }
    const copied = dataOf(returned);
    if (!("data" in copied)) {
      refuse(notDataText(what, copied, "the document"));
      return undefined;
    }
    const { data } = copied;
    // A field that the function has kept is written in the file.
    const isKept = (field: string) => JSON.stringify(fieldOf(raw, field)) === JSON.stringify(fieldOf(data, field));
    const placeOf: PlaceIn = (steps, part) => at(isKept(String(steps[0])) ? [name, ...steps] : [name], part);
    const document = validator(contentFor(vocabulary), calledBy(name))(data, placeOf, log.report);
    if (document === undefined) return undefined;
    setField(made, name, document);
  }
  return { ...content, ...made };
}

/** Whether there is one deployment with every collection. An empty folder implies nothing: another may be meant. */
const isImplied = ({ api, files, incomplete }: Folder): boolean =>
  !isEmpty({ api, files }) &&
  deploymentsIn({ files }).length === 0 &&
  !incomplete.has("deployments") &&
  requiredDocuments(api).length === 0;

const requiredDocuments = ({ documents }: Api): readonly string[] =>
  documents.filter(({ required }) => required === true).map(({ name }) => name);

const nameTaken = (file: string, name: string, first: string): Draft => ({
  code: "not-unique",
  at: wholeFile(file),
  text: `The name ${quote(name)} is taken by another deployment, that of ${first}.`,
  hint: "Change one of them; case makes no difference.",
});

/** The names of the deployments that have files. */
export const deploymentsIn = ({ files }: Pick<Folder, "files">): readonly string[] =>
  files.flatMap(({ role }) => (role.kind === "deployment" ? [role.name] : []));

/**
 * The deployment `requested`, else the default of the content. Throws MachineError if it does not exist. Of several APIs, it
 * has no operations of those that it leaves out.
 */
export function chooseDeployment({ api, deployments, settings }: Catalog, requested: string | undefined): Deployment {
  const name = requested ?? settings.defaultDeployment;
  const chosen = deployments.get(name);
  if (chosen !== undefined) return chosen;
  const names = [...deployments.keys()];
  const documents = requiredDocuments(api);
  const missing =
    documents.length === 0 ? "" : `Write deployments/${name}.yaml, with the content of ${documents.join(" and ")}.`;
  const hint = names.length > 0 ? `The content has ${names.join(", ")}.` : missing || "The content has none.";
  throw new MachineError(`There is no deployment ${JSON.stringify(name)}.`, nearest(name, names) ?? hint);
}

interface DeploymentContent {
  readonly operations: readonly string[];
  readonly [document: string]: unknown;
}

/** A deployment with the content of a document answers it, even if it does not list the operation. */
function deploymentOf(api: Api, name: string, content: DeploymentContent): Deployment {
  const documents = new Map<string, Item>();
  for (const operation of api.documents) {
    const document = ownField(content, operation.name);
    if (document !== undefined) documents.set(operation.name, Object(document));
  }
  const operations = api.operations.filter((operation) =>
    operation.kind === "document" ? documents.has(operation.name) : content.operations.includes(operation.name),
  );
  return { name, operations: operations.map((operation) => operation.name), documents };
}
