// Apache: one text, for web space as .htaccess and for a virtual host as a file to include in the <Directory> of its
// DocumentRoot. Apache reads .htaccess again for each request, so include the file if you can.
//
// Relied on: THE_REQUEST is the request line as sent, QUERY_STRING is not decoded; a backreference to a group that did
// not take part is empty; END keeps a rewritten request from being rewritten again; the rules of a folder replace the
// rules of the folders above it; ErrorDocument keeps the status and accepts an expression (2.4.13); the settings in an
// <If> apply to a request and to its internal redirects; headers are set when the status is known; DOCUMENT_ROOT is the
// publish root. Needs mod_rewrite, mod_headers and AllowOverride FileInfo Indexes.
// https://httpd.apache.org/docs/2.4/mod/mod_rewrite.html https://httpd.apache.org/docs/2.4/rewrite/flags.html
// https://httpd.apache.org/docs/2.4/mod/core.html#errordocument https://httpd.apache.org/docs/2.4/sections.html
import { textFile } from "../../file.ts";
import { apiFolder, errorFolder } from "../../routing/paths.ts";
import type { HostAdapter } from "../host.ts";
import { ownServer } from "../publish/script.ts";
import { gaps } from "./gaps.ts";
import { configuration, htaccess, onlyConfiguration } from "./rules.ts";

export const apache: HostAdapter = {
  ...ownServer({
    name: "apache",
    title: "Apache",
    configuration: { "stillapi.conf": configuration, "stillapi.only.conf": onlyConfiguration },
    check: "apachectl configtest",
    reload: "apachectl graceful",
    isForRoot: true,
    root: { file: "stillapi.root.conf", text: 'DocumentRoot "%s"' },
    command: "apache2",
    install: "sudo apt-get install apache2",
    standalone: "httpd.conf",
    args: (folder) => ["-f", `${folder}/httpd.conf`, "-DFOREGROUND"],
  }),
  reads: [".htaccess"],
  // A document is beside the folder of the pages, so its headers are in the folder above.
  files(table) {
    const [pages, others] = htaccess(table);
    return [
      textFile(apiFolder(table.base).replace(/[^/]*$/, ".htaccess"), pages),
      textFile(`${errorFolder(table.base)}/.htaccess`, others),
    ];
  },
  gaps,
};
