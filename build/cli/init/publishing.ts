// How a repository of data publishes to each host from GitHub Actions. A host's project or server is set up once, by hand.
import type { HostName } from "../../hosts/names.ts";

export interface Publishing {
  /** What people call the host. */
  readonly title: string;
  /** Files at the root of the repository, by their paths. */
  readonly files?: Readonly<Record<string, string>>;
  /** The secrets of the repository that publishing takes, by name, each with its meaning. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Its variables. */
  readonly variables?: Readonly<Record<string, string>>;
  /** What the workflow's token may do. */
  readonly permissions?: string;
  /** The lines of shell that publish the folder dist. The secrets and variables are in the environment. */
  readonly run: (name: string) => readonly string[];
  /** How to set the host up, in Markdown. */
  readonly setUp: (name: string) => string;
}

/** Fixed versions, because these programs get the secrets. */
const netlifyCli = "npx --yes --ignore-scripts netlify-cli@26.2.0";
const wranglerVersion = "4.86.0";
const wrangler = `npx --yes --ignore-scripts wrangler@${wranglerVersion}`;
const vercelCli = "npx --yes --ignore-scripts vercel@64.0.2";
const ghPages = "npx --yes --ignore-scripts gh-pages@6.3.0";

const cloudflareSecrets = {
  CLOUDFLARE_API_TOKEN: "a token that may edit it",
  CLOUDFLARE_ACCOUNT_ID: "the account's id",
};

/** A server of one's own that is reached over ssh. */
const server = (host: HostName, title: string, check: string, reload: string): Publishing => ({
  title,
  secrets: { SSH_KEY: "a private key that may log in there" },
  variables: {
    SERVER: "where to publish, such as `deploy@server.example.com:/srv/edge-api`",
    SSH_KNOWN_HOSTS: "the output of `ssh-keyscan server.example.com`",
    CHECK: `the command that checks the configuration there, such as \`${check}\``,
    RELOAD: `the command that reloads the server, such as \`${reload}\``,
  },
  run: () => [
    "install -d -m 700 ~/.ssh",
    `(umask 077 && printf '%s\\n' "$SSH_KEY" > ~/.ssh/id_ed25519)`,
    `printf '%s\\n' "$SSH_KNOWN_HOSTS" > ~/.ssh/known_hosts`,
    `sh dist.hosts/${host}/publish.sh --reload "$SERVER"`,
  ],
  setUp: () =>
    `Publish once by hand, and load the configuration as \`node_modules/edge-api/docs/hosts/${host}.md\` shows:

\`\`\`sh
npm run build
sh dist.hosts/${host}/publish.sh server:/srv/edge-api
\`\`\``,
});

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

const vercelJson = `${JSON.stringify(
  {
    $schema: "https://openapi.vercel.sh/vercel.json",
    framework: null,
    buildCommand:
      "npm run build -- --out .vercel/output/static && cp .vercel/output/static.hosts/vercel/config.json .vercel/output/",
  },
  null,
  2,
)}\n`;

export const hostTitle = (host: string): string => publishing[host]?.title ?? host;

/** By the name of the host. */
export const publishing: Readonly<Record<string, Publishing | undefined>> = {
  netlify: {
    title: "Netlify",
    files: { "netlify.toml": netlifyToml },
    secrets: { NETLIFY_AUTH_TOKEN: "a personal access token", NETLIFY_SITE_ID: "the site's id" },
    run: () => [`${netlifyCli} deploy --prod --no-build --dir dist --message "$GITHUB_SHA"`],
    setUp: () =>
      "Create a site on Netlify. Or connect the repository there and delete the job `publish` of the workflow: Netlify then " +
      "builds each push as `netlify.toml` says.",
  },
  "cloudflare-pages": {
    title: "Cloudflare Pages",
    secrets: cloudflareSecrets,
    run: (name) => [`${wrangler} pages deploy dist --project-name ${name} --branch main`],
    setUp: (name) =>
      `Create the project: \`npx wrangler@${wranglerVersion} pages project create ${name} --production-branch main\`.`,
  },
  "cloudflare-workers": {
    title: "Cloudflare Workers",
    secrets: cloudflareSecrets,
    run: (name) => [
      `${wrangler} deploy --config dist.hosts/cloudflare-workers/wrangler.jsonc --assets dist --name ${name}`,
    ],
    setUp: (name) => `There is nothing to prepare: the first publication creates a worker with the name \`${name}\`.`,
  },
  vercel: {
    title: "Vercel",
    files: { "vercel.json": vercelJson },
    secrets: {
      VERCEL_TOKEN: "an access token",
      VERCEL_ORG_ID: "the team's id",
      VERCEL_PROJECT_ID: "the project's id, both as in `.vercel/project.json` after `npx vercel link`",
    },
    run: () => [`${vercelCli} deploy dist --prod --yes --token "$VERCEL_TOKEN"`],
    setUp: () =>
      "Create a project on Vercel. Or connect the repository there and delete the job `publish` of the workflow: Vercel then " +
      "builds each push as `vercel.json` says.",
  },
  nginx: server("nginx", "nginx", "sudo nginx -t", "sudo nginx -s reload"),
  caddy: server(
    "caddy",
    "Caddy",
    "caddy validate --config /etc/caddy/Caddyfile",
    "caddy reload --config /etc/caddy/Caddyfile",
  ),
  apache: server("apache", "Apache", "sudo apachectl configtest", "sudo apachectl graceful"),
  cloudfront: {
    title: "S3 with CloudFront",
    secrets: {
      AWS_ACCESS_KEY_ID: "a key that may list and write the bucket, and read and update the stack",
      AWS_SECRET_ACCESS_KEY: "its secret",
    },
    variables: { AWS_REGION: "the stack's region" },
    run: (name) => [`bash dist.hosts/cloudfront/upload.sh dist ${name}`],
    setUp: (name) =>
      `Create the stack. Afterwards the script that uploads the files also updates the stack:

\`\`\`sh
npm run build
aws cloudformation deploy --stack-name ${name} --template-file dist.hosts/cloudfront/template.json
\`\`\``,
  },
  plain: {
    title: "GitHub Pages",
    secrets: {},
    permissions: "write",
    run: () => [
      `git remote set-url origin "https://git:$GITHUB_TOKEN@github.com/$GITHUB_REPOSITORY.git"`,
      `${ghPages} --dist dist --dotfiles --user "github-actions[bot] <41898282+github-actions[bot]@users.noreply.github.com>"`,
    ],
    setUp: () =>
      "In the settings of the repository, let GitHub Pages publish the branch `gh-pages`. The paths of the API begin at " +
      "the root of the host, so it needs a custom domain, or a repository with the name `NAME.github.io`.",
  },
};
