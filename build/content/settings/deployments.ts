// deployments/NAME.yaml: the operations of a deployment, and the content of its documents.
import * as z from "zod";
import type { Vocabulary } from "../../../src/declare/vocabulary.ts";
import type { Api } from "../../../src/model/api.ts";
import type { Item } from "../../../src/model/key.ts";
import { MachineError } from "../../files/machine-error.ts";
import { type Draft, type Log, wholeFile } from "../../messages.ts";
import { quote } from "../../text/quote.ts";
import { nearest } from "../../text/slips.ts";
import type { Catalog, Deployment } from "../catalog.ts";
import { type PlaceIn, validator } from "../explain/validate.ts";
import { type Folder, isEmpty, readOne } from "../find/read.ts";

/** The name of the deployment that is built if none is named. */
export const usualDeployment = "edge";

/** The list of operations, and the content of each document under the name of its operation. */
export function deploymentSchema(api: Api, vocabulary: Vocabulary) {
  const names = api.operations.map(({ name }) => name);
  const list = z.array(z.enum(names, `one of ${names.join(", ")}`), "a list of operations");
  const documents = api.documents.map(({ name, required, content: contentFor }) => {
    const content = contentFor(vocabulary);
    return [name, required ? content : content.optional()] as const;
  });
  return z.strictObject({ operations: list, ...Object.fromEntries(documents) }).superRefine((deployment, context) => {
    for (const { name } of api.documents) {
      if (!deployment.operations.includes(name) || Object.hasOwn(deployment, name)) continue;
      context.addIssue({ code: "custom", path: [name], message: "the content of this operation, which it lists" });
    }
  });
}

/** The deployments by the names of their files. Without files there is one deployment, if no document is required. */
export function readDeployments(folder: Folder, vocabulary: Vocabulary, log: Log): ReadonlyMap<string, Deployment> {
  const { api, files } = folder;
  const validate = validator(deploymentSchema(api, vocabulary), "deployment");
  const firsts = new Map<string, string>();
  const deployments = new Map<string, Deployment>();
  for (const file of files) {
    if (file.role.kind !== "deployment") continue;
    const { name } = file.role;
    const first = firsts.get(name);
    if (first === undefined) firsts.set(name, file.file);
    else log.report(nameTaken(file.file, name, first));
    const { source, path, value } = readOne(file, "deployment", log);
    if (value === undefined) continue;
    const at: PlaceIn = (steps, part = "value") => ({ source, path: [...path, ...steps], part });
    const content = validate(value, at, log.report);
    if (content !== undefined) deployments.set(name, deploymentOf(api, name, content));
  }
  if (!isImplied(folder)) return deployments;
  const operations = api.lists.map(({ name }) => name);
  return new Map([[usualDeployment, { name: usualDeployment, operations, documents: new Map() }]]);
}

/** Whether there is one deployment with every collection. An empty folder implies nothing: another may be meant. */
const isImplied = ({ api, files, lost }: Folder): boolean =>
  !isEmpty({ api, files }) &&
  deploymentsIn({ files }).length === 0 &&
  !lost.has("deployments") &&
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

/** The deployment `requested`, else the default of the content. Throws MachineError if it does not exist. */
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
    const document = content[operation.name];
    if (document !== undefined) documents.set(operation.name, Object(document));
  }
  const operations = api.operations.filter((operation) =>
    operation.kind === "document" ? documents.has(operation.name) : content.operations.includes(operation.name),
  );
  return { name, operations: operations.map((operation) => operation.name), documents };
}
