// The workflow of a repository of data on GitHub. The code of a pull request runs without secrets and without permission to
// write; the job that comments does not run it.
import type { Publishing } from "../../hosts/host.ts";

const checkout = "actions/checkout@34e114876b0b11c390a56381ad16ebd13914f8d5 # v4.3.1";
const setupNode = "actions/setup-node@49933ea5288caeca8642d1e84afbd3f7d6820020 # v4.4.0";

/** The text of .github/workflows/api.yml. Without `how`, a push is only built. */
export const workflow = (name: string, how: Publishing | undefined): string =>
  `${head}${check}${comment}${publish(name, how)}`;

const head = `\
# Checks each pull request and comments how it changes the API; publishes when main changes.
name: api

on:
  pull_request:
  push:
    branches: [main]

permissions:
  contents: read

concurrency:
  group: \${{ github.workflow }}-\${{ github.ref }}
  cancel-in-progress: \${{ github.event_name == 'pull_request' }}

jobs:
`;

const start = (more: string): string => `\
      - uses: ${checkout}
${more}\
      - uses: ${setupNode}
        with:
          node-version: 24
          cache: npm
      - run: npm ci --ignore-scripts
`;

const check = `\
  # The declaration, api.config.ts, is code, and this job runs the one of the pull request: without secrets, and with a token
  # that can only read. Keep it on the event pull_request, which gives it no more.
  check:
    if: github.event_name == 'pull_request'
    runs-on: ubuntu-latest
    timeout-minutes: 15
    outputs:
      changes: \${{ steps.diff.outputs.changes }}
    steps:
${start(`\
        with:
          # The merge of the pull request, and the commit before it.
          fetch-depth: 2
          persist-credentials: false
`)}\
      # Shows faults at their places in the pull request.
      - id: check
        run: npm run check
      - id: diff
        if: success() || steps.check.outcome == 'failure'
        run: |
          status=0
          # The step before has reported the faults.
          env -u GITHUB_ACTIONS npm run --silent diff -- --against HEAD^1 --format markdown > "$RUNNER_TEMP/changes.md" || status=$?
          cat "$RUNNER_TEMP/changes.md" >> "$GITHUB_STEP_SUMMARY"
          end=$(openssl rand -hex 16)
          { echo "changes<<$end"; cat "$RUNNER_TEMP/changes.md"; echo "$end"; } >> "$GITHUB_OUTPUT"
          exit "$status"

`;

const comment = `\
  # Runs no code of the pull request. One from a fork gets no token that may comment: the summary of its check has the text.
  comment:
    needs: check
    if: >-
      !cancelled() && needs.check.outputs.changes != '' &&
      github.event.pull_request.head.repo.full_name == github.repository
    runs-on: ubuntu-latest
    timeout-minutes: 5
    permissions:
      pull-requests: write
    steps:
      - env:
          GH_TOKEN: \${{ github.token }}
          CHANGES: \${{ needs.check.outputs.changes }}
          COMMENTS: repos/\${{ github.repository }}/issues/\${{ github.event.pull_request.number }}/comments
        run: |
          # The first line of the text is an invisible mark.
          mark=$(printf '%s\\n' "$CHANGES" | head -n 1)
          export mark
          id=$(gh api --paginate "$COMMENTS" --jq '.[] | select(.user.type == "Bot" and (.body | startswith(env.mark))) | .id' | head -n 1)
          if [ -z "$id" ]; then
            gh api "$COMMENTS" --raw-field body="$CHANGES" --silent
          else
            gh api --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$id" --raw-field body="$CHANGES" --silent
          fi

`;

function publish(name: string, how: Publishing | undefined): string {
  const permissions = how?.permissions === undefined ? "" : `    permissions:\n      contents: ${how.permissions}\n`;
  return `\
  publish:
    if: github.event_name == 'push'
    runs-on: ubuntu-latest
    timeout-minutes: 15
${permissions}\
    steps:
${start("        with:\n          persist-credentials: false\n")}\
      # API_URL is a variable of the repository, set after the first publication: the cursors that readers of the published
      # API hold stay valid, and a build that cannot read them fails.
      - run: npm run build -- \${PREVIOUS:+--previous-required}
        env:
          PREVIOUS: \${{ vars.API_URL }}
${how === undefined ? "" : deploy(name, how)}\
      - if: vars.API_URL != ''
        run: npm run verify -- "$API_URL"
        env:
          API_URL: \${{ vars.API_URL }}
`;
}

function deploy(name: string, { run, secrets, variables = {}, permissions }: Publishing): string {
  const lines = run(name);
  const env = [
    ...Object.keys(secrets).map((each) => [each, `secrets.${each}`]),
    ...Object.keys(variables).map((each) => [each, `vars.${each}`]),
    ...(permissions === undefined ? [] : [["GITHUB_TOKEN", "github.token"]]),
  ].map(([variable, value]) => `          ${variable}: \${{ ${value} }}\n`);
  const step = lines.length === 1 ? `${lines[0]}\n` : `|\n${lines.map((line) => `          ${line}\n`).join("")}`;
  return `      - run: ${step}${env.length > 0 ? `        env:\n${env.join("")}` : ""}`;
}
