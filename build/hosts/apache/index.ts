// Apache: one text, for web space as .htaccess and for a virtual host as a file to include in the <Directory> of the
// publish root. Apache reads .htaccess again for each request, so include the file if you can.
//
// Relied on: THE_REQUEST is the request line as sent, QUERY_STRING is not decoded; a backreference to a group that did
// not take part is empty; END keeps a rewritten request from being rewritten again; the rules of a folder replace the
// rules of the folders above it; ErrorDocument keeps the status and accepts an expression (2.4.13); the settings in an
// <If> apply to a request and to its internal redirects; headers are set when the status is known; in web space
// DOCUMENT_ROOT is the publish root. Needs mod_rewrite and mod_headers; web space needs AllowOverride FileInfo Indexes, a
// virtual host mod_alias.
// https://httpd.apache.org/docs/2.4/mod/mod_rewrite.html https://httpd.apache.org/docs/2.4/rewrite/flags.html
// https://httpd.apache.org/docs/2.4/mod/core.html#errordocument https://httpd.apache.org/docs/2.4/sections.html
import { textFile } from "../../files/file.ts";
import { errorFolder } from "../../routing/paths.ts";
import { groupBy } from "../../values/group-by.ts";
import { longRequest, unknownExpectation } from "../gaps.ts";
import type { HostAdapter } from "../host.ts";
import { ownServer } from "../own-server.ts";
import { viewOf } from "../view.ts";
import { configuration, htaccess, htaccessFile, htaccessOfErrors, onlyConfiguration, rootText } from "./print.ts";

/** The limit of most file systems for the name of a file, in bytes. */
const longestName = 255;

export const apache: HostAdapter = {
  ...ownServer({
    name: "apache",
    title: "Apache",
    texts: { conf: configuration, "only.conf": onlyConfiguration },
    check: "apachectl configtest",
    reload: "apachectl graceful",
    isForRoot: true,
    root: { ending: "root.conf", text: rootText },
    // It fills in what the last condition captured.
    syntax: /["\\${}]|%\d/,
    command: "apache2",
    install: "sudo apt-get install apache2",
    standalone: "httpd.conf",
    args: (folder) => ["-f", `${folder}/httpd.conf`, "-DFOREGROUND"],
  }),
  reads: [".htaccess"],
  generates: [".htaccess"],
  // A document is beside the folder of the pages, so its headers are in the folder above.
  files(tables) {
    const views = tables.map(viewOf);
    return [
      ...[...groupBy(views, htaccessFile)].map(([file, group]) => textFile(file, htaccess(group))),
      ...views.map((view) => textFile(`${errorFolder(view.base)}/.htaccess`, htaccessOfErrors(view))),
    ];
  },
  // Apache answers these before it applies any rule of the API.
  gaps: [
    longRequest("Apache", "LimitRequestLine"),
    unknownExpectation("Apache"),
    {
      requests: "paths with %2F or %00, with invalid encoding, or that lead above the root",
      happens: "404 or 400 with Apache's error page",
      reason: "Apache refuses these paths before it looks for the folder and its rules",
      covers({ request: { path } }) {
        const resolved = resolvedPath(path);
        return /%(?![0-9a-f]{2})/i.test(path) || resolved === undefined || /%(?:2f|00)/i.test(resolved);
      },
    },
    {
      requests: "TRACE",
      happens: "the request is echoed, or refused with Apache's error page if the server has `TraceEnable off`",
      reason: "Apache answers TRACE before it applies the rules of a folder",
      covers: ({ request }) => request.method === "TRACE",
    },
    {
      requests: `a path with a segment of more than ${longestName} bytes`,
      happens: "403 with Apache's error page",
      reason: "the file system refuses the name while Apache looks for the folder and its rules",
      covers: ({ request }) => request.path.split("/").some((step) => step.length > longestName),
    },
  ],
};

/** Undefined if a path leads above the root. Apache decodes dots, merges slashes and resolves `..` before it decodes the rest. */
function resolvedPath(path: string): string | undefined {
  const steps: string[] = [];
  for (const step of path.replace(/%2e/gi, ".").split("/")) {
    if (step === "" || step === ".") continue;
    if (step !== "..") steps.push(step);
    else if (steps.pop() === undefined) return undefined;
  }
  return steps.join("/");
}
