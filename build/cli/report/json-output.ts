// What `--format json` prints, one object for each command. docs/json-output.md has these schemas as tables. Commands import
// only their types.
import * as z from "zod";
import { type Code, codes } from "../../codes.ts";
import { breakingKinds } from "../../diff/kinds.ts";
import { outcomes } from "../../publish/publication.ts";

const listOf = <Element extends z.ZodType>(element: Element) => z.array(element).readonly();

const count = z.int().min(0);
const texts = listOf(z.string());
const code = z.enum(Object.keys(codes) as Code[]);

/** The lists with which every output starts. */
const envelope = {
  messages: listOf(
    z.strictObject({
      severity: z.enum(["error", "warning"]).describe("`error` for a fault, or `warning`."),
      code: code.describe("The [code](faults.md), which is permanent."),
      text: z.string().describe("What is wrong, in a sentence."),
      hint: z.string().optional().describe("What to write instead."),
      line: count.optional().describe("The line, from 1."),
      column: count.optional().describe("The column, from 1, in UTF-16 code units."),
      endLine: count.optional().describe("The line in which the place ends."),
      endColumn: count.optional().describe("The column after the last character."),
      file: z
        .string()
        .optional()
        .describe(
          "The path of the file from the working folder, with slashes. A message that is about no file has neither it nor a line or column.",
        ),
    }),
  ).describe(
    "The faults and warnings, in the order of files, lines and columns: at most a thousand. Warnings take the room that faults leave.",
  ),
  omitted: listOf(
    z.strictObject({
      file: z.string().describe("The path of the file."),
      code: code
        .optional()
        .describe(
          "The code. Without it, the entry counts faults that were not examined further: there are at least this many.",
        ),
      count: count.describe("The number of messages."),
    }),
  ).describe("The messages beyond these thousand, counted by file and code."),
};

/** What a command prints if it fails: because of faults, with exit code 1, or of an error, with exit code 2. */
export const failedOutput = z.strictObject({
  ...envelope,
  error: z
    .strictObject({
      message: z.string().describe("What happened, in a sentence."),
      hint: z.string().optional().describe("What to do."),
      stack: z.string().optional().describe("The stack, if the error is a bug of the program."),
    })
    .optional()
    .describe("The error that ended the command with exit code 2. Both lists are then empty."),
});

const limit = {
  host: z.string().describe("The name of the host."),
  what: z.string().describe("What the host limits, such as `files`."),
  most: count.describe("The limit."),
  source: z.string().describe("The address of the limit's documentation."),
  plan: z.string().optional().describe("The plan that has the limit, if other plans allow more."),
  apis: z
    .record(z.string(), count.describe("The use of one API, by its base."))
    .readonly()
    .optional()
    .describe("The use by API, if there are several and the limit counts them together."),
};

const budget = listOf(z.strictObject({ ...limit, used: count.describe("The use.") }));

const reloads = listOf(
  z.strictObject({
    host: z.string().describe("The name of the host."),
    files: texts.describe("The files to load, in `dist.hosts`."),
  }),
);

const filesOfBuild = {
  files: count.describe("The number of files."),
  bytes: count.describe("The size of the files."),
  filesBefore: count.describe("The number of files before the build."),
  bytesBefore: count.describe("The size of the files before the build."),
};

export const buildOutput = z.strictObject({
  ...envelope,
  deployment: z.string().describe("The name of the deployment."),
  written: count.describe("The number of files that are new or have changed."),
  kept: count.describe("The number of files that have not changed."),
  removed: count.describe("The number of files that were removed."),
  apis: listOf(
    z.strictObject({
      base: z.string().describe("The base of the API."),
      retired: count.describe("The number of retired pages among its files."),
      operations: z
        .record(
          z.string(),
          z.strictObject({
            items: count.describe("The number of items; 0 for a document."),
            listings: count.describe("The number of listings."),
            ...filesOfBuild,
          }),
        )
        .readonly()
        .describe("The files by operation."),
    }),
  ).describe("The APIs."),
  others: z.strictObject(filesOfBuild).describe("All other files: errors, documents, outputs and files of hosts."),
  budget: budget.describe("The use of the limits of the hosts."),
  reloads: reloads.describe("The hosts that need a new configuration."),
  seconds: z.number().describe("The duration of the build."),
});

export const checkOutput = z.strictObject({
  ...envelope,
  budget: budget
    .optional()
    .describe(
      "The use of the limits of the hosts, as in the output of `build`, if `--host` or `api.yaml` names hosts.",
    ),
});

const breaking = listOf(
  z.strictObject({
    code: z.enum(breakingKinds).describe("The kind of change."),
    operations: texts.describe("The names of the operations; none for an output."),
    message: z.string().describe("A sentence or two, with the first values."),
    values: texts.describe("The names of everything that is removed or changed."),
  }),
);

const fieldChanges = listOf(
  z.strictObject({
    field: z.string().describe("The path of the field, such as `place.city`."),
    before: z.unknown().optional().describe("The earlier value; absent if the field was added."),
    after: z.unknown().optional().describe("The later value; absent if the field was removed."),
  }),
);

const amount = z.strictObject({
  files: count.describe("The number of files."),
  bytes: count.describe("The size of the files."),
});

const difference = z.strictObject({
  base: z.string().describe("The base of the API."),
  before: z.string().describe("The name of the earlier side, such as `HEAD (1a2b3c4d5)`."),
  after: z.string().describe("The name of the later side, such as `content`."),
  uncompared: texts.describe("The collections whose items are not compared."),
  deployments: texts.describe("The deployment, or both names if it was renamed. Empty if there is no other."),
  breaking: breaking.describe("The breaking changes."),
  announced: breaking.describe("The removals after an announced sunset, with the members of `breaking`."),
  deprecated: listOf(
    z.strictObject({
      what: z.string().describe("What is deprecated, such as `the filter region of nodes`."),
      since: z.string().describe("The day from which it is deprecated."),
      sunset: z.string().optional().describe("The day from which it may be gone."),
      use: z.string().optional().describe("What to use instead."),
      why: z.string().optional().describe("The reason."),
    }),
  ).describe("The notices that are new."),
  operations: z
    .strictObject({
      added: texts.describe("Names of new operations."),
      removed: texts.describe("Names of removed ones."),
    })
    .describe("The operations that only one side has."),
  items: z
    .record(
      z.string(),
      z.strictObject({
        before: count.describe("The number of items before."),
        after: count.describe("The number of items after."),
        changes: listOf(
          z.strictObject({
            kind: z.enum(["added", "removed", "changed"]).describe("`added`, `removed` or `changed`."),
            key: z.string().describe("The key of the item; slashes join the parts of a composite key."),
            fields: fieldChanges.describe(
              "The fields that changed; of an item that was added or removed, all fields except the key.",
            ),
          }),
        ).describe("The items that differ, by key."),
      }),
    )
    .readonly()
    .describe("The items of each list that both sides have."),
  documents: listOf(
    z.strictObject({
      operation: z.string().describe("The name of the document."),
      fields: fieldChanges.describe("The fields that changed."),
    }),
  ).describe("The documents that changed."),
  declaration: fieldChanges.describe("The changes of the declaration, as fields."),
  settings: fieldChanges.describe(
    "The changes of `api.yaml`, with the defaults of absent settings, and of the texts beside it by their names, as fields.",
  ),
  cursors: z
    .strictObject({
      retired: count.describe("The number of earlier cursors that no page has now."),
      pages: count.describe("The number of retired pages that answer them. If it is 0, they expire at once."),
      lifetime: count.describe("The time for which they are answered, in seconds."),
    })
    .optional()
    .describe("The cursors that readers hold; absent if the earlier side is a build or an address."),
  notes: texts.describe("What is not compared, in sentences."),
});

export const diffOutput = z.strictObject({
  ...envelope,
  apis: listOf(difference).describe("The differences of each API that both sides have."),
  added: texts.describe("The bases of new APIs."),
  removed: texts.describe("The bases of APIs that are gone."),
  breaking: breaking.describe("The APIs that are gone without notice, or before their sunset."),
  announced: breaking.describe("The APIs that are gone after their sunset, with the members of `breaking`."),
  files: z
    .strictObject({
      before: amount.describe("The files of the earlier side."),
      after: amount.describe("The files of the later side."),
      added: amount.optional().describe("The new files; absent if the earlier side is a build, as the next two are."),
      removed: amount.optional().describe("The files that are gone."),
      changed: amount.optional().describe("The files that changed, with their later size."),
    })
    .optional()
    .describe("The numbers and sizes of all files; absent if the earlier side is an address."),
  limits: listOf(
    z.strictObject({
      ...limit,
      before: count.optional().describe("The use of the limit before, if it is known."),
      after: count.describe("The use of the limit after."),
    }),
  ).describe("The use of the limits of the hosts."),
  reloads: reloads.describe("The hosts that need a new configuration, if the earlier side is not published."),
});

export const publishOutput = z.strictObject({
  ...envelope,
  host: z.string().describe("The name of the host."),
  target: z.string().describe("The target, as the command names it."),
  outcome: z
    .enum(outcomes)
    .describe("`published`, `unchanged` if the target has this build already, or `back` with `--back`."),
  notes: texts.describe("What the command prints as text, in sentences."),
});

const verified = z.strictObject({
  base: z.string().describe("The base of the API."),
  url: z.string().describe("The address, without a password."),
  asked: count.describe("The number of requests whose answers were compared."),
  files: count.describe("The number of files of the API."),
  compared: count.describe("The number of files that were compared."),
  different: count.describe("The number of answers that differ."),
  findings: listOf(
    z.strictObject({
      message: z.string().describe("The actual and the expected value, in a sentence."),
      count: count.describe("The number of answers."),
      examples: listOf(
        z.strictObject({
          method: z.string().describe("The method."),
          path: z.string().describe("The path."),
          query: z.string().describe("The query, without its question mark."),
          headers: z.record(z.string(), z.string()).readonly().optional().describe("The headers, by name."),
          curl: z.string().describe("The command that repeats the request."),
        }),
      ).describe("Requests with such an answer, at most three."),
    }),
  ).describe("The differences, grouped by cause, the most frequent first."),
  revalidated: count.describe("The number of answers that were revalidated with their ETag."),
  isAnotherBuild: z.boolean().describe("Whether another build is published."),
});

export const verifyOutput = z.strictObject({
  ...envelope,
  folder: z.string().describe("The folder of the build."),
  host: z.string().optional().describe("The host whose deviations were accepted."),
  apis: listOf(verified).describe("The result of each API."),
});

export type Envelope = z.infer<z.ZodObject<typeof envelope>>;
export type BuildOutput = z.infer<typeof buildOutput>;
export type CheckOutput = z.infer<typeof checkOutput>;
export type DiffOutput = z.infer<typeof diffOutput>;
export type PublishOutput = z.infer<typeof publishOutput>;
export type VerifyOutput = z.infer<typeof verifyOutput>;
export type FailedOutput = z.infer<typeof failedOutput>;

/** By command, the objects that it may print. */
export const jsonOutputs = {
  build: z.union([buildOutput, failedOutput]),
  check: z.union([checkOutput, failedOutput]),
  diff: z.union([diffOutput, failedOutput]),
  publish: z.union([publishOutput, failedOutput]),
  verify: z.union([verifyOutput, failedOutput]),
};
