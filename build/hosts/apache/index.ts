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
import { publishing, publishScript, type Server, standalone } from "../publish/script.ts";
import { gaps } from "./gaps.ts";
import { configuration, htaccess, onlyConfiguration } from "./rules.ts";

const program: Server = {
  title: "Apache",
  check: "apachectl configtest",
  reload: "apachectl graceful",
  isForRoot: true,
  root: { file: "stillapi.root.conf", text: 'DocumentRoot "%s"' },
};

export const apache: HostAdapter = {
  name: "apache",
  publishing: publishing("apache", program),
  reads: [".htaccess"],
  files(table) {
    const [pages, errors] = htaccessFiles(table.base);
    const [first, others] = htaccess(table);
    return [textFile(pages, first), textFile(errors, others)];
  },
  beside(table) {
    const files = [
      textFile("stillapi.conf", configuration(table)),
      textFile("stillapi.only.conf", onlyConfiguration(table)),
    ];
    return [...files, ...publishScript(program, files)];
  },
  loads: ["stillapi.conf", "stillapi.only.conf"],
  program: {
    command: "apache2",
    install: "sudo apt-get install apache2",
    run: (site) => ({
      files: [textFile("httpd.conf", standalone("apache", site))],
      args: ["-f", `${site.folder}/httpd.conf`, "-DFOREGROUND"],
    }),
  },
  gaps,
};

/** A document is beside the folder of the pages, so its headers are in the folder above. */
function htaccessFiles(base: string): readonly [pages: string, errors: string] {
  return [apiFolder(base).replace(/[^/]*$/, ".htaccess"), `${errorFolder(base)}/.htaccess`];
}
