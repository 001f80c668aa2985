import type { Publishing } from "../host.ts";

/** A fixed version, because the program gets the secrets. */
const vercelCli = "npx --yes --ignore-scripts vercel@64.0.2";

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

export const publishing: Publishing = {
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
};
