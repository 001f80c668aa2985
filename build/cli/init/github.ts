// What differs in a repository on GitHub.
import { stringify } from "yaml";
import { settingRows, type TargetSettings } from "./targets.ts";

/** The values of the placeholders. */
export const githubValues = (all: readonly TargetSettings[], name: string): Readonly<Record<string, string>> => ({
  CI_FILE: ".github/workflows/api.yml",
  CI_CHECKS: `checks each pull request and comments how it changes the API. If programs of consumers may
break, its job \`breaking\` fails until the pull request has the label \`breaking-change\`. When \`main\` changes, the workflow
builds, publishes and verifies the API.`,
  CI_SETTINGS: 'In the settings of the repository on GitHub, under "Secrets and variables", set:',
  WORKFLOW: "workflow",
  HOST_SETTINGS: settingRows(all),
  HOST_PERMISSION: all.find(({ publishing }) => publishing.permissions)?.publishing.permissions ?? "read",
  HOST_STEPS: publishSteps(all, name),
});

/** In YAML, below `- ` in the steps of a job: for each host a step that publishes and one that verifies. */
function publishSteps(all: readonly TargetSettings[], projectName: string): string {
  const steps = all.flatMap(({ publishing: { run, permissions }, address, settings, hostOption }) => {
    const env = {
      ...Object.fromEntries(
        settings.map(({ kind, variable, name }) => [
          variable,
          kind === "secret" ? `\${{ secrets.${name} }}` : `\${{ vars.${name} }}`,
        ]),
      ),
      ...(permissions && { GITHUB_TOKEN: `\${{ github.token }}` }),
    };
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
