import * as z from "zod";
import { operations } from "../../src/operations.ts";
import { statusContent } from "../../src/resources/status.ts";
import type { Vocabulary } from "../../src/vocabulary.ts";
import type { Deployment } from "./catalog.ts";

const names = operations.map(({ name }) => name);

/** deployments/NAME.yaml: the operations a host answers and the status document it gives. */
export const deploymentSchema = (vocabulary: Vocabulary) =>
  z.strictObject(
    {
      operations: z.array(z.enum(names, `one of ${names.join(", ")}`), "a list of operations"),
      status: statusContent(vocabulary),
    },
    "an object with operations and status",
  );

/** Operations come in the order of the table, and status always comes: a deployment without it says nothing of itself. */
export const deploymentOf = (
  name: string,
  { operations: chosen, status }: z.infer<ReturnType<typeof deploymentSchema>>,
): Deployment => ({
  name,
  operations: operations
    .filter((each) => each.kind === "document" || chosen.includes(each.name))
    .map((each) => each.name),
  status,
});
