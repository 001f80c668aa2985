// nginx: files to include, two in http {} and one or two in server {}.
//
// Relied on: map tests its regular expressions in order and is evaluated at most once a request, when it is needed;
// $request_uri is the target as sent, while locations match the decoded and merged path; add_header with "always" sends
// headers with errors too; a location inside another one inherits its headers if it has none; variables of maps outlive
// try_files and error_page; error_page with an address asks for it by GET or HEAD and, with "=", takes over the status; $request
// keeps the method; a map's value and the address of error_page may contain variables.
// https://nginx.org/en/docs/http/ngx_http_map_module.html https://nginx.org/en/docs/http/ngx_http_core_module.html
import { longRequest } from "../gaps.ts";
import type { HostAdapter } from "../host.ts";
import { ownServer } from "../own-server.ts";
import { apiName, type HostView } from "../view.ts";
import { maps, only, server } from "./print.ts";

const rootText = ({ name }: HostView, pages: string, of?: HostView): string =>
  `map "" $${name}_root { default ${of === undefined ? `"${pages}"` : `$${of.name}_root`}; }`;

export const nginx: HostAdapter = {
  ...ownServer({
    name: "nginx",
    title: "nginx",
    texts: {
      "maps.conf": maps,
      "server.conf": server,
      "only.conf": only,
    },
    check: "nginx -t",
    reload: "nginx -s reload",
    isForRoot: true,
    root: { ending: "root.conf", text: rootText },
    syntax: /["\\${}]/,
    command: "nginx",
    install: "sudo apt-get install nginx-light, brew install nginx, or https://nginx.org/en/download.html",
    standalone: "nginx.conf",
    args: (folder) => ["-p", folder, "-c", "nginx.conf"],
    others: ({ base, others = [], configuration }) => ({
      maps: others.flatMap((other) => [
        `map "" $${apiName(other)}_root { default $${apiName(base)}_root; }`,
        `include "${configuration}/${apiName(other)}.maps.conf";`,
      ]),
      servers: others.map((other) => `include "${configuration}/${apiName(other)}.server.conf";`),
    }),
  }),
  gaps: [
    longRequest("nginx", "large_client_header_buffers"),
    {
      requests: "a page with a precondition `If-Match` or `If-Unmodified-Since` that fails",
      happens: "412 with nginx's error page and the API's CORS headers",
      reason: "nginx evaluates preconditions itself, and has no rule that removes a header of the request",
      covers: ({ request: { headers = {} }, answer }) =>
        answer.status === 200 && ("if-match" in headers || "if-unmodified-since" in headers),
    },
  ],
};
