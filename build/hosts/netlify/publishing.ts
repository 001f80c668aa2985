import type { Publishing } from "../host.ts";

/** A fixed version, because the program gets the secrets. */
const netlifyCli = "npx --yes --ignore-scripts netlify-cli@26.2.0";

const netlifyToml = `\
# How Netlify builds the API if it is connected to this repository. The build writes _redirects and _headers, the rules
# for queries and headers.

[build]
  # Netlify starts each build with an empty folder, so the build reads from the published API which cursors readers hold.
  # After the first deployment, add \`-- --previous-required\`: a build that cannot read them then fails.
  command = "PREVIOUS=$URL npm run build"
  publish = "dist"

[build.environment]
  NODE_VERSION = "24"

# \`npx netlify dev\` serves the last build.
[dev]
  framework = "#static"
`;

export const publishing: Publishing = {
  title: "Netlify",
  files: { "netlify.toml": netlifyToml },
  secrets: { NETLIFY_AUTH_TOKEN: "a personal access token", NETLIFY_SITE_ID: "the site's id" },
  run: () => [`${netlifyCli} deploy --prod --no-build --dir dist --message "$GITHUB_SHA"`],
  setUp: () =>
    "Create a site on Netlify. Or connect the repository there and delete the job `publish` of the workflow: Netlify then " +
    "builds each push as `netlify.toml` says.",
};
