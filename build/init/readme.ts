// The README of a repository of data.
import { listOperations } from "../../src/operations.ts";
import type { Publishing } from "./publishing.ts";

export const readme = (name: string, host: string, how: Publishing | undefined): string => `\
# ${name}

The data of an edge network, as files in \`content/\`. edge-api validates them and compiles them into a read-only JSON API:
static files, with the configuration by which ${host} answers the API's requests with them.

\`\`\`sh
npm install         # once; commit package-lock.json, too
npm run dev         # serves the API on this machine, and builds it again with each change of content/
npm run check       # says what is wrong with the data, and where
npm run diff        # says what the changes since the last commit do to the API
npm run build       # writes the API into dist/
npm run preview     # serves dist/
\`\`\`

## The data

| path | holds |
| --- | --- |
${listOperations.map(({ name: each, resource }) => `| \`content/${each}.yaml\` | ${resource.meaning} |`).join("\n")}
| \`content/deployments/edge.yaml\` | what the API answers, and the documents that say how it is doing |
| \`content/api.yaml\` | its title, page sizes and vocabularies |

A list may be several files instead, in a folder of its name, in YAML, JSON or NDJSON: what the files are called, and what
order they and their items are in, changes nothing. An editor with schemas for YAML, such as Visual Studio Code with the
extension that \`.vscode/\` recommends, completes fields and names, once \`npm run check\` has written \`.schemas/\`.

## Publishing

\`.github/workflows/api.yml\` checks each pull request, and says in a comment what it changes in the API. When \`main\`
changes, it builds, publishes and verifies what is published.
${how === undefined ? "It does not know how to publish to this host: add a step after the build.\n" : `\n${how.setUp(name)}\n`}
In the settings of the repository on GitHub, under "Secrets and variables", set:

| name | is |
| --- | --- |
${rows(how)}
## Upgrading

\`\`\`sh
npm run build       # with the version that is there
npm update
npm run build       # says in its last line how many files the new version changes
\`\`\`

The versions of edge-api are semantic; its \`CHANGELOG.md\` says what counts as breaking, and its \`docs/upgrading.md\` what
else an upgrade may take. Both are in \`node_modules/edge-api\`, with pages on everything else.
`;

const rows = (how: Publishing | undefined): string =>
  [
    ...Object.entries(how?.secrets ?? {}).map(([name, what]) => `| secret \`${name}\` | ${what} |\n`),
    ...Object.entries(how?.variables ?? {}).map(([name, what]) => `| variable \`${name}\` | ${what} |\n`),
    "| variable `API_URL` | the address of the published API, such as `https://api.example.com` |\n",
  ].join("");
