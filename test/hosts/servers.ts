// The configurations of servers without a site: a test adds the files of builds.
import { findProgram } from "../../build/cli/preview/program.ts";
import type { HostAdapter, HostProgram } from "../../build/hosts/host.ts";

/** Throws for a host without a program. */
export function programOf({ name, program }: HostAdapter): HostProgram {
  if (program === undefined) throw new Error(`${name} has no program.`);
  return program;
}

/** The reason why tests of a program are skipped, if it is not installed. */
export function lackOf(program: HostProgram): string | undefined {
  const { command, install } = program;
  return findProgram(program) === undefined ? `${command} is not installed. To install it: ${install}` : undefined;
}

interface ServerPlace {
  readonly port: number;
  /** Has the files of the server. */
  readonly folder: string;
}

/** `maps` are outside of the server, and `locations` in it. */
export const nginxServer = ({ port, folder }: ServerPlace, maps: string, locations: string): string => `daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log stderr crit;
events {}
http {
  access_log off;
  ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${folder}/${name};`).join(" ")}
  variables_hash_bucket_size 128;
  ${maps}
  server {
    listen 127.0.0.1:${port};
    ${locations}
  }
}
`;

/** `snippets` are outside of the site, and `lines` in it. */
export const caddyServer = ({ port }: Pick<ServerPlace, "port">, snippets: string, lines: string): string => `{
	admin off
	auto_https off
	log {
		output stderr
		level ERROR
	}
}
${snippets}
http://:${port} {
	bind 127.0.0.1
	${lines}
}
`;

const installed = "/usr/lib/apache2";

interface ApachePlace extends ServerPlace {
  /** The folder of the relative paths in the configuration. */
  readonly root?: string;
  readonly modules?: readonly string[];
}

const usual = ["mpm_prefork", "alias", "authz_core", "dir", "headers", "mime", "rewrite"];

export const apacheServer = ({ port, folder, root = installed, modules = usual }: ApachePlace): string =>
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
