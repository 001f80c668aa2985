// Caddy: snippets to import. A request for a page reads its parameters from the target and takes their file. The rules
// look for faults only if the page is missing.
//
// Relied on: map compares its source with its keys in order, each time an output is used, and inserts captures into the
// output without expanding them again; {http.request.orig_uri} is the target as sent; file_server sets no Content-Type if
// one is set; directives of a site are sorted, and directives in a route are not; since 2.6.3 only the first matching
// rewrite of a block applies, so each rewrite has a separate block.
// https://caddyserver.com/docs/caddyfile/directives https://caddyserver.com/docs/caddyfile/directives/map
// https://caddyserver.com/docs/caddyfile/directives/file_server https://caddyserver.com/docs/conventions#placeholders
import { unknownExpectation } from "../gaps.ts";
import type { HostAdapter } from "../host.ts";
import { ownServer } from "../own-server.ts";
import { apiName, type HostView } from "../view.ts";
import { longestTarget, snippets } from "./print.ts";

const rootText = ({ name }: HostView, pages: string, of?: HostView): string =>
  `(${name}_root) {\n\t${of === undefined ? `root * "${pages}"` : `import ${of.name}_root`}\n}`;

export const caddy: HostAdapter = {
  ...ownServer({
    name: "caddy",
    title: "Caddy",
    texts: { caddy: snippets },
    check: "caddy validate --config /etc/caddy/Caddyfile",
    reload: "caddy reload --config /etc/caddy/Caddyfile",
    root: { ending: "root.caddy", text: rootText },
    // It looks for files by a pattern.
    syntax: /["\\${}*?[\]]/,
    command: "caddy",
    install: "sudo apt-get install caddy, brew install caddy, or https://caddyserver.com/docs/install",
    standalone: "Caddyfile",
    args: () => ["run", "--config", "Caddyfile", "--adapter", "caddyfile"],
    others: ({ base, others = [], configuration }) => ({
      snippets: others.flatMap((other) => [
        `(${apiName(other)}_root) {`,
        `\timport ${apiName(base)}_root`,
        "}",
        `import "${configuration}/${apiName(other)}.caddy"`,
      ]),
      sites: others.map((other) => `import ${apiName(other)}`),
    }),
  }),
  gaps: [
    unknownExpectation("Go's HTTP server, which Caddy uses,"),
    {
      requests: "paths with invalid encoding",
      happens: "400 with the text `400 Bad Request`, instead of 404 or 405",
      reason: "Go's HTTP server, which Caddy uses, refuses such a request before Caddy sees it",
      covers: ({ request }) => /%(?![0-9a-f]{2})/i.test(request.path),
    },
    {
      requests: `a target of more than ${longestTarget} bytes`,
      happens: "414 without a body",
      reason: "reading a query takes time in proportion to its length, and Caddy accepts a megabyte",
      covers: ({ request: { path, query } }) => path.length + query.length >= longestTarget,
    },
  ],
};
