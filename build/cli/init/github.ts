// What differs in a repository on GitHub.
import { stringify } from "yaml";
import { settingRows, type TargetSettings } from "./targets.ts";

/** The values of the placeholders. */
export function githubValues(all: readonly TargetSettings[], name: string): Readonly<Record<string, string>> {
  const previewed = all.find(({ publishing }) => publishing.preview);
  return {
    CI_FILE: ".github/workflows/api.yml",
    CI_CHECKS: `checks each pull request and comments how it changes the API. If this may break
programs of consumers, its job \`breaking\` fails until the pull request has the label \`breaking-change\`. When \`main\`
changes, the workflow builds, publishes and verifies the API.`,
    CI_SETTINGS: 'In the settings of the repository on GitHub, under "Secrets and variables", set:',
    WORKFLOW: "workflow",
    HOST_SETTINGS: [settingRows(all), ...(previewed === undefined ? [] : [previewRow(previewed)])]
      .join("\n")
      .trimStart(),
    PREVIEW_JOBS: [
      ...(previewed === undefined ? [] : [previewJobs(previewed, name)]),
      "Publishes what `main` has.",
    ].join("\n\n  # "),
    HOST_PERMISSION: all.find(({ publishing }) => publishing.permissions)?.publishing.permissions ?? "read",
    HOST_STEPS: publishSteps(all, name),
  };
}

const previewRow = ({ publishing }: TargetSettings): string =>
  `| variable \`PREVIEWS\` | \`true\`, if each pull request gets a preview at ${publishing.title} |`;

/** The secrets and variables by the names that the commands of a host expect. */
const settingsIn = ({ settings }: TargetSettings): Readonly<Record<string, string>> =>
  Object.fromEntries(
    settings.map(({ kind, variable, name }) => [
      variable,
      kind === "secret" ? `\${{ secrets.${name} }}` : `\${{ vars.${name} }}`,
    ]),
  );

/** In YAML, below `- ` in the steps of a job: for each host a step that publishes and one that verifies. */
function publishSteps(all: readonly TargetSettings[], projectName: string): string {
  const steps = all.flatMap((target) => {
    const { publishing, address, hostOption } = target;
    const { run, permissions } = publishing;
    const env = { ...settingsIn(target), ...(permissions && { GITHUB_TOKEN: `\${{ github.token }}` }) };
    return [
      { run: run(projectName).join("\n"), ...(Object.keys(env).length > 0 && { env }) },
      {
        if: `vars.${address} != ''`,
        run: `npm run verify -- "$API_URL"${hostOption}`,
        env: { API_URL: `\${{ vars.${address} }}` },
      },
    ];
  });
  return stringify(steps, { lineWidth: 0 }).trimEnd().slice("- ".length).replaceAll("\n", "\n      ");
}

/**
 * In YAML, below `# ` in the jobs. The code of a pull request runs where there are no secrets: the other job has the secrets,
 * and publishes the files that the first one made.
 */
function previewJobs(target: TargetSettings, name: string): string {
  const isWanted =
    "github.event_name == 'pull_request' && vars.PREVIEWS == 'true' && github.event.pull_request.head.repo.full_name == github.repository";
  const machine = { "runs-on": "ubuntu-latest", "timeout-minutes": 15 };
  const jobs = {
    "preview-build": {
      if: isWanted,
      ...machine,
      steps: [
        { uses: actions.checkout, with: { "persist-credentials": false } },
        { uses: actions.setupNode, with: { "node-version": 24, cache: "npm" } },
        { run: "npm ci --ignore-scripts" },
        { run: "npm run build -- --preview", env: { PREVIOUS: `\${{ vars.API_URL }}` } },
        { uses: actions.uploadArtifact, with: { name: "preview", path: "dist", "include-hidden-files": true } },
      ],
    },
    preview: {
      needs: "preview-build",
      ...machine,
      permissions: {},
      environment: { name: "preview", url: `\${{ steps.preview.outputs.url }}` },
      steps: [
        { uses: actions.downloadArtifact, with: { name: "preview", path: "dist" } },
        { uses: actions.setupNode, with: { "node-version": 24 } },
        {
          id: "preview",
          run: [...(target.publishing.preview?.(name) ?? []), 'echo "url=$url" >> "$GITHUB_OUTPUT"'].join("\n"),
          env: { ...settingsIn(target), PREVIEW: `pr-\${{ github.event.pull_request.number }}` },
        },
      ],
    },
  };
  // The version of an action is a comment.
  const text = stringify(jobs, { lineWidth: 0 })
    .replace(/uses: "(.*)"$/gm, "uses: $1")
    .replace(/^preview:$/m, "\n$&");
  return `Publishes each pull request as a preview, if the variable PREVIEWS is true. The build is marked, so that no published API
  # continues it.
  ${text.trimEnd().replaceAll(/\n(?=.)/g, "\n  ")}`;
}

/** Each by its commit, with its version beside it. */
const actions = {
  checkout: "actions/checkout@34e114876b0b11c390a56381ad16ebd13914f8d5 # v4.3.1",
  setupNode: "actions/setup-node@49933ea5288caeca8642d1e84afbd3f7d6820020 # v4.4.0",
  uploadArtifact: "actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02 # v4.6.2",
  downloadArtifact: "actions/download-artifact@d3f86a106a0bac45b974a628896c90dbdf5c8093 # v4.3.0",
} as const;
