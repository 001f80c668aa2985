// The README of a repository of data.
import type { Api } from "../../../src/api.ts";
import type { Publishing } from "../../hosts/host.ts";
import type { Program } from "./program.ts";
import type { Template } from "./template.ts";

export interface Repository {
  /** A valid name of a package, also the name of the host's project. */
  readonly name: string;
  /** The name of the host. */
  readonly host: string;
  /** How to publish to the host, if that is known. */
  readonly publishing: Publishing | undefined;
  readonly program: Program;
  readonly template: Template;
}

export function readme({ lists, documents }: Api, { name, host, publishing, program, template }: Repository): string {
  const { subject, pageSizes, files } = template;
  return `\
# ${name}

${subject}, as files in \`content/\`. [stillapi](node_modules/stillapi/docs/content.md) validates the files
and compiles them into a read-only JSON API: static files, and the configuration with which ${publishing?.title ?? host} answers
requests with them.

\`\`\`sh
npm install         # once; then commit package-lock.json, which \`npm ci\` needs in each clone
npm run dev         # serves the API on this machine, and builds it again when ${files.has("api.config.ts") ? "content/ or api.config.ts" : "content/"} changes
npm run check       # reports faults in the data, each with its place
npm run diff        # shows how the changes since the last commit change the API
npm run build       # writes the API to dist/
npm run preview     # serves dist/
\`\`\`

## The data

| path | content |
| --- | --- |
${files.has("api.config.ts") ? declarationRow : ""}${lists.map(({ name: each, resource }) => `| \`content/${each}.yaml\` | ${resource.meaning} |`).join("\n")}
${documents.length === 0 ? "" : deploymentRow(documents.map((each) => each.name))}| \`content/api.yaml\` | Title, host, page sizes and vocabularies. |

A list can be split into several files in a folder of its name, as YAML, JSON, NDJSON, CSV or Markdown. The names of the files and the
order of their items change nothing in the API. Editors with schemas for YAML, such as Visual Studio Code with the extension
that \`.vscode/\` recommends, complete fields and names after \`npm run check\` has written \`.schemas/\`.
${pageSizes === "every" ? manyFiles : ""}
## Publishing

\`.github/workflows/api.yml\` checks each pull request and comments how it changes the API. When \`main\` changes, the workflow
builds, publishes and verifies the API.
${publishing === undefined ? `stillapi does not know how to publish to ${host}: add a step after the build.\n` : `\n${publishing.setUp(name)}\n`}
In the settings of the repository on GitHub, under "Secrets and variables", set:

| name | value |
| --- | --- |
${rows(publishing)}
Set \`API_URL\` after the first publication. From then on the workflow builds with \`--previous\`, so that the cursors that
readers hold stay valid, fails if it cannot read the published API, and verifies each publication.

\`node_modules/stillapi/docs/hosts/${host}.md\` describes the host, and how to roll back.

## Upgrading

${upgrading(program)}
The versions of stillapi are semantic. In \`node_modules/stillapi\`, \`CHANGELOG.md\` defines a breaking change, and
\`docs/upgrading.md\` describes an upgrade in full.
`;
}

const declarationRow =
  "| `api.config.ts` | The declaration of the API: its collections, their fields and filters. " +
  "[How to declare an API](node_modules/stillapi/docs/declaring.md) |\n";

const deploymentRow = (documents: readonly string[]): string =>
  `| \`content/deployments/edge.yaml\` | The operations that the API answers${documents.map((each) => `, and the \`${each}\` document`).join("")}. |\n`;

const manyFiles = `
A few items make some hundred files, because \`page_sizes: every\` in \`content/api.yaml\` writes the pages of each list, and of
each value of a filter, for every \`limit\` from 1 to 100. A list such as \`[1, 10, 100]\` makes fewer.
`;

const upgrading = ({ vendored }: Program): string =>
  vendored === undefined
    ? `\`\`\`sh
npm run build       # with the installed version
npm update stillapi
npm run build       # its last line counts the files that the new version changes
\`\`\`
`
    : `The program is the archive \`${vendored.file}\`, which belongs into git like any other file. \`npm update\` does nothing for an
archive. To upgrade, put the new one beside it:

\`\`\`sh
npm run build       # with the installed version
cp ../stillapi-1.1.0.tgz vendor/
npm install ./vendor/stillapi-1.1.0.tgz
npm run build       # its last line counts the files that the new version changes
git rm ${vendored.file}
git add vendor package.json package-lock.json
\`\`\`
`;

const rows = (publishing: Publishing | undefined): string =>
  [
    ...Object.entries(publishing?.secrets ?? {}).map(([name, meaning]) => `| secret \`${name}\` | ${meaning} |\n`),
    ...Object.entries(publishing?.variables ?? {}).map(([name, meaning]) => `| variable \`${name}\` | ${meaning} |\n`),
    "| variable `API_URL` | the address of the published API, such as `https://api.example.com` |\n",
  ].join("");
