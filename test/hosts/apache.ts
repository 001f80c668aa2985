import { type OutputFile, textFile } from "../../build/files/file.ts";
import { apiName } from "../../build/hosts/api-name.ts";
import type { ProgramSite } from "../../build/hosts/host.ts";

const installed = "/usr/lib/apache2";

interface ServerPlace {
  readonly port: number;
  /** Has the files of the server. */
  readonly folder: string;
  /** The folder of the relative paths in the configuration. */
  readonly root?: string;
  readonly modules?: readonly string[];
}

const usual = ["mpm_prefork", "alias", "authz_core", "dir", "headers", "mime", "rewrite"];

/** The configuration of a server without a site. */
export const apacheServer = ({ port, folder, root = installed, modules = usual }: ServerPlace): string =>
  `ServerRoot ${root}
${modules.map((name) => `LoadModule ${name}_module ${installed}/modules/mod_${name}.so`).join("\n")}
ServerName localhost
Listen 127.0.0.1:${port}
DefaultRuntimeDir ${folder}
PidFile ${folder}/httpd.pid
ErrorLog ${folder}/error.log
LogLevel crit
TypesConfig /dev/null
User "#65534"
Group "#65534"
`;

/** Replaces the configuration of the adapter's program by one that includes the API's file and ignores .htaccess. */
export const asVirtualHost = (site: ProgramSite, files: readonly OutputFile[]): readonly OutputFile[] =>
  files.map(({ file, parts }) => {
    const [server] = Buffer.concat([...parts()])
      .toString()
      .split("<Directory");
    return textFile(file, `${server}${virtualHost(site)}`);
  });

const virtualHost = ({ base, beside }: ProgramSite): string => `TraceEnable off
Define ${apiName(base)}_root "\${top}"
<Directory "\${top}">
  AllowOverride None
  Require all granted
  Include "${beside}/${apiName(base)}.conf"
</Directory>
`;

/** A virtual host that serves nothing but the API, as docs/hosts/apache.md describes it. */
export const asOwnVirtualHost = (site: ProgramSite, files: readonly OutputFile[]): readonly OutputFile[] =>
  files.map(({ file, parts }) => {
    const [server] = Buffer.concat([...parts()])
      .toString()
      .split("<Directory");
    return textFile(file, `${server}${ownVirtualHost(site)}`);
  });

const ownVirtualHost = ({ base, beside, port }: ProgramSite): string => `<VirtualHost *:${port}>
  DocumentRoot "\${top}"
  TraceEnable off
  Define ${apiName(base)}_root "\${top}"
  <Directory "\${top}">
    AllowOverride None
    Require all granted
    Include "${beside}/${apiName(base)}.conf"
    Include "${beside}/${apiName(base)}.only.conf"
  </Directory>
</VirtualHost>
`;

/** The directives about endings of files in Debian's configuration, and in the configuration of some sites. */
const types = `LoadModule negotiation_module modules/mod_negotiation.so
AddHandler type-map .var
AddEncoding x-gzip .gz
AddLanguage br .br
AddCharset ISO-8859-8 .x
`;

export const withTypes = (files: readonly OutputFile[]): readonly OutputFile[] =>
  files.map(({ file, parts }) =>
    textFile(
      file,
      Buffer.concat([...parts()])
        .toString()
        .replace("ServerName", `${types}ServerName`),
    ),
  );
