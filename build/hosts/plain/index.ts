// File hosts without configuration: GitHub Pages, GitLab Pages, Surge, a folder on a web server. Clients ask for the
// files by path: /api/v1/nodes/region/lhr1/limit/5.json. The generated files keep the hosts from changing them.
//
// Relied on: with .nojekyll, GitHub Pages publishes the files as they are; Surge sends the contents of CORS as
// Access-Control-Allow-Origin; all of them answer with 404.html if a file is missing; GitLab Pages obeys _redirects.
// https://docs.github.com/en/pages/getting-started-with-github-pages/creating-a-github-pages-site
// https://github.com/surge-sh/example-cors https://surge.sh/docs/platform/custom-404.md
import { textFile } from "../../files/file.ts";
import { noPolicies } from "../gaps.ts";
import { type HostAdapter, limitOf, type Publishing } from "../host.ts";

/** A fixed version, because the program gets a token that may write to the repository. */
const ghPages = "npx --yes --ignore-scripts gh-pages@6.3.0";

const publishing: Publishing = {
  title: "GitHub Pages",
  secrets: {},
  permissions: "write",
  run: () => [
    `git remote set-url origin "https://git:$GITHUB_TOKEN@github.com/$GITHUB_REPOSITORY.git"`,
    `${ghPages} --dist dist --dotfiles --user "github-actions[bot] <41898282+github-actions[bot]@users.noreply.github.com>"`,
  ],
  setUp: () =>
    "In the settings of the repository, let GitHub Pages publish the branch `gh-pages`, and write the address of the " +
    "pages, such as `https://NAME.github.io/REPOSITORY`, as `url` in `content/api.yaml`. An address with a path is for this " +
    "host alone: [Beside another host](node_modules/stillapi/docs/hosts/plain.md#beside-another-host).",
};

export const plain: HostAdapter = {
  name: "plain",
  servesOnlyFiles: true,
  publishing,
  reads: [".nojekyll", "CNAME", "_config.yml", "_redirects", "CORS", "AUTH", "ROUTER", "404.html"],
  generates: [".nojekyll", "CORS"],
  files([{ headers }]) {
    const origin = headers["Access-Control-Allow-Origin"];
    return [textFile(".nojekyll", ""), ...(origin === undefined ? [] : [textFile("CORS", `${origin}\n`)])];
  },
  limits: [
    limitOf("files", {
      max: 200_000,
      plan: "GitLab Pages",
      source: "https://docs.gitlab.com/administration/pages/#set-maximum-number-of-files-per-gitlab-pages-website",
    }),
    limitOf("bytes in all", {
      max: 1_000_000_000,
      plan: "GitHub Pages",
      source: "https://docs.github.com/en/pages/getting-started-with-github-pages/github-pages-limits",
    }),
    limitOf("bytes in one file", {
      max: 100 * 1024 * 1024,
      plan: "GitHub Pages",
      source:
        "https://docs.github.com/en/repositories/working-with-files/managing-large-files/about-large-files-on-github",
    }),
  ],
  gaps: [
    {
      requests: "methods other than GET and HEAD",
      happens: "refused with the host's error page, or answered as GET",
      reason: "nothing can be configured",
      covers: ({ request: { method } }) => method !== "GET" && method !== "HEAD",
    },
    {
      requests:
        "the paths of operations, of single items and of documents and outputs whose file has another name, with a query or without",
      happens:
        "404 with the body of not_found; the answers are at the paths of their files, as `/api/v1/NAME/item/KEY.json` for a single item",
      reason: "a file is at the path of its name, and the host ignores the query",
      covers: ({ request: { path }, answer: { status, file } }) =>
        status === 400 || (status === 200 && !isAt(path, file)),
    },
    noPolicies,
    {
      requests: "documents at the paths of their files, without index.html",
      happens: "answered, with the host's headers",
      reason: "nothing can be configured",
      covers: ({ answer }) => answer.status === 200,
    },
    {
      requests: "the path of a document without its trailing slash",
      happens: "answered as with the slash, or redirected to it by the host",
      reason: "nothing can be configured",
      covers: ({ answer }) => answer.status === 308,
    },
    {
      requests: "all other paths",
      happens:
        "404 with the body of not_found, of the first API of a build, as HTML and with the host's headers, also for paths that have the page for people elsewhere",
      reason: "hosts answer with 404.html if there is no file",
      covers: ({ answer }) => answer.status === 404,
    },
  ],
  unproven: [
    "GitHub Pages and GitLab Pages send Access-Control-Allow-Origin: * with every file.",
    "The host chooses how long answers may be cached, whatever the operation.",
    "Folders whose name starts with a dot, such as .well-known, are published: by GitHub Pages from a branch, because of .nojekyll; in artifacts of GitHub Actions only with include-hidden-files.",
    "GitHub Pages, GitLab Pages and Surge answer the path of a page without its .html, too.",
  ],
};

const isAt = (path: string, file = ""): boolean => `/${file}` === (path.endsWith("/") ? `${path}index.html` : path);
