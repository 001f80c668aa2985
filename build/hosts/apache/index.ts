// Apache: .htaccess files for users without access to the server's configuration, and the same rules as a file to
// include for users with access. Apache reads .htaccess again for each request, so the file that every request needs is
// short and answers only the most common queries; the file in the folder of the errors answers the rest. Include the
// file if you can: looking for .htaccess in each folder of a page's path alone costs a quarter of the rate.
//
// Relied on: THE_REQUEST is the request line as sent, QUERY_STRING is not decoded; a backreference to a group that did
// not take part is empty; END keeps a rewritten request from being rewritten again; the rules of a folder replace the
// rules of the folders above it; ErrorDocument keeps the status and accepts an expression (2.4.13); a condition may
// test any text, and its captures set variables; a header's value may be a variable; DOCUMENT_ROOT is the publish root.
// Needs mod_rewrite, mod_headers and AllowOverride FileInfo Indexes.
// https://httpd.apache.org/docs/2.4/mod/mod_rewrite.html https://httpd.apache.org/docs/2.4/rewrite/flags.html
// https://httpd.apache.org/docs/2.4/mod/core.html#errordocument https://httpd.apache.org/docs/2.4/howto/htaccess.html
import { textFile } from "../../file.ts";
import type { HostAdapter, Site } from "../host.ts";
import { publishing, publishScript, type Server } from "../publish/script.ts";
import { text } from "../syntax.ts";
import { folderTexts, htaccessFiles, onlyFolder, onlyServer, server } from "./files.ts";
import { gaps } from "./gaps.ts";
import { section } from "./syntax.ts";

const program: Server = {
  title: "Apache",
  check: "apachectl configtest",
  reload: "apachectl graceful",
  isForRoot: true,
  root: { file: "stillapi.root.conf", text: 'DocumentRoot "%s"' },
};

export const apache: HostAdapter = {
  name: "apache",
  signature: ["server", /^Apache/i],
  publishing: publishing("apache", program),
  owns: htaccessFiles,
  reads: (base) => [".htaccess", ...htaccessFiles(base)],
  files(table) {
    const texts = folderTexts(table);
    return htaccessFiles(table.base).map((file, index) => textFile(file, texts[index] ?? ""));
  },
  beside(table) {
    const configuration = [textFile("stillapi.conf", server(table)), textFile("stillapi.only.conf", onlyServer(table))];
    return [textFile("only.htaccess", onlyFolder(table)), ...configuration, ...publishScript(program, configuration)];
  },
  loads: ["only.htaccess", "stillapi.conf", "stillapi.only.conf"],
  program: {
    command: "apache2",
    install: "sudo apt-get install apache2",
    run: (site) => ({
      files: [textFile("httpd.conf", standalone(site))],
      args: ["-f", `${site.folder}/httpd.conf`, "-DFOREGROUND"],
    }),
  },
  gaps,
};

/** A server that serves nothing but the API. */
const standalone = ({ publishRoot, beside, folder, port }: Site): string =>
  text(
    'ServerRoot "/usr/lib/apache2"',
    ...["mpm_prefork", "authz_core", "dir", "headers", "mime", "rewrite"].map(
      (name) => `LoadModule ${name}_module modules/mod_${name}.so`,
    ),
    "# Each connection that a browser keeps open takes a process.",
    "StartServers 20",
    "MinSpareServers 10",
    "MaxSpareServers 20",
    "ServerName localhost",
    `Listen 127.0.0.1:${port}`,
    `DefaultRuntimeDir "${folder}"`,
    `PidFile "${folder}/httpd.pid"`,
    `ErrorLog "${folder}/error.log"`,
    "LogLevel crit",
    "TypesConfig /dev/null",
    "# As root, Apache serves as a user who may not be able to reach the publish root. Only root finds the file.",
    'User "#65534"',
    'Group "#65534"',
    `Define top "${publishRoot}"`,
    ...section("IfFile", onlyForRoot, `ChrootDir "${publishRoot}"`, "Define top /"),
    `DocumentRoot "\${top}"`,
    ...section(
      "Directory",
      `\${top}`,
      "AllowOverride FileInfo Indexes",
      "Require all granted",
      `Include "${beside}/only.htaccess"`,
    ),
  );

const onlyForRoot = "/root/.profile";
