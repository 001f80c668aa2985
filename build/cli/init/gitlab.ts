// What differs in a repository on GitLab. Its variables are not mapped with `variables:`, where the name of one that is not
// set stays as it is: the shell takes it as empty.
import { stringify } from "yaml";
import { settingRows, type Target, type TargetSettings } from "./targets.ts";

/** GitLab Pages takes the place of GitHub Pages. */
export const onGitlab = ({ host, publishing }: Target): Target => ({
  host,
  publishing: { ...publishing, ...publishing.gitlabPages },
});

/** The values of the placeholders. */
export function gitlabValues(all: readonly TargetSettings[], name: string): Readonly<Record<string, string>> {
  const previewed = all.find(({ publishing }) => publishing.preview);
  return {
    CI_FILE: ".gitlab-ci.yml",
    CI_CHECKS: `checks each merge request and writes a note about how it changes the API. If this may
break programs of consumers, its job \`breaking\` fails until the merge request has the label \`breaking-change\` and a new
pipeline runs. When the default branch changes, the pipeline builds, publishes and verifies the API.`,
    CI_SETTINGS: `In the settings of the project on GitLab, under "CI/CD", set these variables, masked and protected if they are secrets.
Everybody who can push a branch can read a variable that is not protected.`,
    WORKFLOW: "pipeline",
    HOST_SETTINGS: [settingRows(all), ...tokenRows(previewed)].join("\n").trimStart(),
    PREVIEW_JOB: previewed === undefined ? "" : previewJob(previewed, name),
    PUBLISH_JOB: all.some(isPages) ? "pages" : "publish",
    HOST_STEPS: publishSteps(all, name),
  };
}

const isPages = ({ publishing }: Target): boolean => publishing.gitlabPages !== undefined;

function tokenRows(previewed: TargetSettings | undefined): readonly string[] {
  const note =
    "| variable `GITLAB_TOKEN`, not protected | an access token of the project with the scope `api`, for the notes; without it there are none, and the job `check` prints what changes |";
  if (previewed === undefined) return [note];
  const names = previewed.settings.map(({ name }) => `\`${name}\``).join(" and ");
  return [
    note,
    `| ${names}, not protected | only if each merge request gets a preview at ${previewed.publishing.title}, as an environment |`,
  ];
}

/** The variables by the names that the commands of a host expect. */
const exports = ({ settings }: TargetSettings): readonly string[] =>
  settings
    .filter(({ name, variable }) => name !== variable)
    .map(({ name, variable }) => `export ${variable}="$${name}"`);

const installs = (all: readonly TargetSettings[]): readonly string[] => {
  const packages = [...new Set(all.flatMap(({ publishing }) => publishing.packages ?? []))];
  return packages.length === 0 ? [] : [`apt-get update && apt-get install --yes ${packages.join(" ")}`];
};

const inGitlab = (line: string): string => line.replaceAll("$GITHUB_SHA", "$CI_COMMIT_SHA");

/** In YAML, below `- ` in the script of a job. GitLab Pages is last, because it takes the folder dist away. */
function publishSteps(all: readonly TargetSettings[], name: string): string {
  const stepsOf = (target: TargetSettings): readonly string[] => {
    const { publishing, address, hostOption } = target;
    const verify = `if [ -n "$${address}" ]; then npm run verify -- "$${address}"${hostOption}; fi`;
    // GitLab publishes the pages after the job.
    return [...exports(target), ...publishing.run(name).map(inGitlab), ...(isPages(target) ? [] : [verify])];
  };
  const ordered = [...all.filter((target) => !isPages(target)), ...all.filter(isPages)];
  const script = stringify([...installs(all), ...ordered.flatMap(stepsOf)], { lineWidth: 0 });
  const steps = script.trimEnd().slice("- ".length).replaceAll("\n", "\n    ");
  return all.some(isPages) ? `${steps}\n  artifacts:\n    paths: [public]` : steps;
}

/** There is no job without the secrets of the host, which protected variables are in a merge request. */
function previewJob(target: TargetSettings, name: string): string {
  const conditions = ['$CI_PIPELINE_SOURCE == "merge_request_event"', ...target.settings.map(({ name }) => `$${name}`)];
  const job = {
    stage: "report",
    rules: [{ if: conditions.join(" && ") }],
    needs: [],
    environment: {
      name: "preview/$CI_MERGE_REQUEST_IID",
      url: "$PREVIEW_URL",
      auto_stop_in: "2 weeks",
    },
    script: [
      "npm ci --ignore-scripts",
      'PREVIOUS="$API_URL" npm run build -- --preview',
      ...installs([target]),
      ...exports(target),
      'export PREVIEW="mr-$CI_MERGE_REQUEST_IID"',
      ...(target.publishing.preview?.(name) ?? []),
      'echo "PREVIEW_URL=$url" > preview.env',
    ],
    artifacts: { reports: { dotenv: "preview.env" } },
  };
  return `
# Publishes the merge request as an environment of its own. The build is marked, so that no published API continues it.
${stringify({ preview: job }, { lineWidth: 0 })}`;
}
