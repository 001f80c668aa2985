// The parts of the workflow on GitHub, and of its settings, that depend on the hosts.
import { stringify } from "yaml";
import { settingRows, type TargetSettings } from "./targets.ts";

/** The values of the placeholders. */
export const workflowValues = (all: readonly TargetSettings[], name: string) => ({
  HOST_SETTINGS: settingRows(all),
  HOST_PERMISSION: all.find(({ publishing }) => publishing.permissions)?.publishing.permissions ?? "read",
  HOST_STEPS: publishSteps(all, name),
});

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
