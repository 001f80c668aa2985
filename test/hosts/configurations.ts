// The servers that are tested with the real programs, in each configuration with different rules.
import path from "node:path";
import { startProgram } from "../../build/cli/preview/program.ts";
import { bytesOf, type OutputFile, textFile } from "../../build/files/file.ts";
import { apache } from "../../build/hosts/apache/index.ts";
import type { Gap, HostAdapter, HostProgram, ProgramSite } from "../../build/hosts/host.ts";
import { apiName } from "../../build/hosts/view.ts";
import { configurationFolder } from "../../build/output/location.ts";
import { keepConnections, type Send } from "../ask.ts";
import type { Start } from "./emulated.ts";
import { caddyServer, lackOf, nginxServer, programOf } from "./servers.ts";

export interface ServerAnswering {
  readonly origin: string;
  readonly send: Send;
  readonly stop: () => Promise<void>;
}

/** Starts the program with a build, each file of whose configuration may be changed. */
export async function startServer(
  program: HostProgram,
  site: Pick<ProgramSite, "base" | "others" | "publishRoot" | "configuration">,
  change: (text: string, site: ProgramSite) => string = (text) => text,
): Promise<ServerAnswering> {
  const run: HostProgram["run"] = (place) => {
    const { files, ...rest } = program.run(place);
    const changed = (file: OutputFile) => textFile(file.file, change(bytesOf(file).toString(), place));
    return { ...rest, files: files.map(changed) };
  };
  const { origin, stop } = await startProgram({ ...program, run }, { ...site, port: 0 });
  const { send, close } = keepConnections(() => origin);
  return { origin, send, stop: () => stop().finally(close) };
}

interface Server {
  readonly host: HostAdapter;
  readonly gaps: readonly Gap[];
  readonly isServer: true;
  /** Why it cannot be started on this machine. */
  readonly lack: string | undefined;
  readonly start: Start<ServerAnswering>;
}

/** The host's program with the files of all APIs of a build. */
export function served(host: HostAdapter, change?: Parameters<typeof startServer>[2]): Server {
  const program = programOf(host);
  return {
    host,
    gaps: host.gaps,
    isServer: true,
    lack: lackOf(program),
    start(dist, [{ base }, ...others]) {
      const configuration = path.join(configurationFolder(dist), host.name);
      const site = { base, others: others.map((table) => table.base), publishRoot: dist, configuration };
      const withTypesToo = (text: string, place: ProgramSite) => withTypes(change?.(text, place) ?? text);
      return startServer(program, site, host === apache ? withTypesToo : change);
    },
  };
}

/** The directives about endings of files in Debian's configuration, and in the configuration of some sites. */
const types = `LoadModule negotiation_module modules/mod_negotiation.so
AddHandler type-map .var
AddEncoding x-gzip .gz
AddLanguage br .br
AddCharset ISO-8859-8 .x
`;

/** Apache reads inner endings of names too, and the configuration of a system says what they mean. */
const withTypes = (text: string): string => text.replace("ServerName", `${types}ServerName`);

/** A site with other files and the API. */
export const nginxSite = (_: string, { base, publishRoot, configuration, ...place }: ProgramSite): string =>
  nginxServer(
    place,
    `map "" $${apiName(base)}_root { default "${publishRoot}"; }
  include "${configuration}/${apiName(base)}.maps.conf";`,
    `root "${publishRoot}";
    include "${configuration}/${apiName(base)}.server.conf";
    location / {}`,
  );

/** The same site in Caddy. */
export const caddySite = (_: string, { base, publishRoot, configuration, port }: ProgramSite): string =>
  caddyServer(
    { port },
    `(${apiName(base)}_root) {
	root * "${publishRoot}"
}
import "${configuration}/${apiName(base)}.caddy"`,
    `root * "${publishRoot}"
	handle {
		file_server
	}
	import ${apiName(base)}`,
  );

/** The same site in Apache, with the .htaccess of the API alone. */
export const withoutRoot = (text: string): string => text.replace(/^.*only\.conf.*\n/m, "");

/** The API's file is included, and .htaccess is ignored. */
export const included = (text: string, { base, configuration }: ProgramSite): string =>
  `${serverOf(text)}TraceEnable off
Define ${apiName(base)}_root "\${top}"
${directory([`${configuration}/${apiName(base)}.conf`])}`;

/** A virtual host that serves nothing but the APIs, as docs/hosts/apache.md describes it. */
export const ownVirtualHost = (text: string, { base, others = [], configuration, port }: ProgramSite): string => {
  const names = [base, ...others].map(apiName);
  return `${serverOf(text)}<VirtualHost *:${port}>
  DocumentRoot "\${top}"
  TraceEnable off
  ${names.map((name) => `Define ${name}_root "\${top}"`).join("\n  ")}
  ${directory([...names, `${apiName(base)}.only`].map((name) => `${configuration}/${name}.conf`))}
</VirtualHost>
`;
};

/** The configuration of the server, without that of the site. */
const serverOf = (text: string): string => text.split("<Directory", 1).join("");

const directory = (files: readonly string[]): string => `<Directory "\${top}">
  AllowOverride None
  Require all granted
  ${files.map((file) => `Include "${file}"`).join("\n  ")}
</Directory>
`;
