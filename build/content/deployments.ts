// deployments/NAME.yaml: the operations a host answers and the status document it gives.
import * as z from "zod";
import { operations } from "../../src/operations.ts";
import { statusContent } from "../../src/resources/status.ts";
import type { Vocabulary } from "../../src/vocabulary.ts";
import { nearest } from "../diagnostics.ts";
import { MachineError } from "../machine-error.ts";
import type { Catalog, Deployment } from "./catalog.ts";
import { type Fault, fileFault, type WithFaults } from "./fault.ts";
import { type Folder, onlyEntry, read } from "./read.ts";
import { validate } from "./validate.ts";

const names = operations.map(({ name }) => name);

const deploymentSchema = (vocabulary: Vocabulary) =>
  z.strictObject({
    operations: z.array(z.enum(names, `one of ${names.join(", ")}`), "a list of operations"),
    status: statusContent(vocabulary),
  });

type DeploymentContent = z.infer<ReturnType<typeof deploymentSchema>>;

/** The deployments by their names, which are those of their files. */
export function readDeployments(
  { files }: Folder,
  vocabulary: Vocabulary,
): WithFaults<ReadonlyMap<string, Deployment>> {
  const schema = deploymentSchema(vocabulary);
  const firsts = new Map<string, string>();
  const deployments = new Map<string, Deployment>();
  const faults: (readonly Fault[])[] = [];
  for (const file of files) {
    if (file.role.kind !== "deployment") continue;
    const { name } = file.role;
    const first = firsts.get(name);
    if (first === undefined) firsts.set(name, file.file);
    else faults.push([nameTaken(file.file, name, first)]);
    const reading = read(file);
    const [entry, entryFaults] = onlyEntry(reading, "deployment");
    const [content, contentFaults] = entry === undefined ? [undefined, []] : validate(entry, schema, "deployment");
    faults.push(reading.faults, entryFaults, contentFaults);
    if (content !== undefined) deployments.set(name, deploymentOf(name, content));
  }
  return [deployments, faults.flat()];
}

const nameTaken = (file: string, name: string, first: string): Fault =>
  fileFault("not-unique", file, {
    noun: "deployment",
    key: "name",
    value: name,
    first: { file: first, line: 1, column: 1 },
  });

/** The deployment that is asked for, or the content's default. Throws MachineError where there is none of that name. */
export function chooseDeployment({ deployments, settings }: Catalog, asked: string | undefined): Deployment {
  const name = asked ?? settings.defaultDeployment;
  const chosen = deployments.get(name);
  if (chosen !== undefined) return chosen;
  const known = [...deployments.keys()];
  const others = known.length === 0 ? "The content has none." : `The content has ${known.join(", ")}.`;
  throw new MachineError(`There is no deployment ${JSON.stringify(name)}.`, nearest(name, known) ?? others);
}

/** Operations come in the order of the table, and status always comes: a deployment without it says nothing of itself. */
const deploymentOf = (name: string, { operations: chosen, status }: DeploymentContent): Deployment => ({
  name,
  operations: operations
    .filter((each) => each.kind === "document" || chosen.includes(each.name))
    .map((each) => each.name),
  status,
});
