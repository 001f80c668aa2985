// Server programs configured for production, without access logs: one configuration for a folder of plain files, and
// the same with the API's rules.
import { textFile } from "../build/files/file.ts";
import { apache } from "../build/hosts/apache/index.ts";
import { caddy } from "../build/hosts/caddy/index.ts";
import type { HostAdapter, HostProgram, ProgramSite } from "../build/hosts/host.ts";
import { nginx } from "../build/hosts/nginx/index.ts";
import { apiName } from "../build/hosts/view.ts";

export interface Server {
  readonly name: string;
  readonly host: HostAdapter;
  /** The server without the API's rules; absent if this is the server without them. */
  readonly bare?: string;
  readonly program: HostProgram;
}

const nginxConf =
  (http: (site: ProgramSite) => string, server: (site: ProgramSite) => string) =>
  (site: ProgramSite): string =>
    `daemon off;
pcre_jit on;
# One process, which runs as the user that started it and can read this user's files.
master_process off;
pid nginx.pid;
error_log stderr crit;
events { worker_connections 512; }
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000000;
${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `  ${name}_temp_path ${name};`).join("\n")}
  types { application/json json; }
  ${http(site)}
  server {
    listen 127.0.0.1:${site.port};
    root "${site.publishRoot}";
    ${server(site)}
  }
}
`;

const caddyfile =
  (imports: (site: ProgramSite) => string, answers: (site: ProgramSite) => string) =>
  (site: ProgramSite): string =>
    `{
	admin off
	auto_https off
	log {
		output stderr
		level ERROR
	}
}
${imports(site)}
http://:${site.port} {
	bind 127.0.0.1
	root * "${site.publishRoot}"
	${answers(site)}
}
`;

/** A fixed number of processes: Apache starts or ends none while requests are counted. */
const httpdConf =
  (override: string, include: (site: ProgramSite) => string) =>
  (site: ProgramSite): string =>
    `ServerRoot "/usr/lib/apache2"
${["mpm_event", "authz_core", "dir", "headers", "mime", "rewrite"]
  .map((name) => `LoadModule ${name}_module modules/mod_${name}.so`)
  .join("\n")}
StartServers 2
ServerLimit 2
ThreadsPerChild 64
MaxRequestWorkers 128
MinSpareThreads 1
MaxSpareThreads 128
KeepAlive On
MaxKeepAliveRequests 0
ServerName localhost
Listen 127.0.0.1:${site.port}
DefaultRuntimeDir "${site.folder}"
PidFile "${site.folder}/httpd.pid"
ErrorLog "${site.folder}/error.log"
LogLevel crit
TypesConfig /dev/null
AddType application/json .json
# If root starts it.
User "#65534"
Group "#65534"
DocumentRoot "${site.publishRoot}"
Define ${apiName(site.base)}_root "${site.publishRoot}"
# As in Debian: no .htaccess is read outside the publish root.
<Directory "/">
  AllowOverride None
  Require all denied
</Directory>
<Directory "${site.publishRoot}">
  AllowOverride ${override}
  Require all granted
  ${include(site)}
</Directory>
`;

type Configuration = (site: ProgramSite) => string;

/** A host's program with another configuration. */
function configured({ program, name }: HostAdapter, file: string, configuration: Configuration): HostProgram {
  if (program === undefined) throw new Error(`${name} has no program.`);
  const run: HostProgram["run"] = (site) => ({ ...program.run(site), files: [textFile(file, configuration(site))] });
  return { ...program, run };
}

/** A server without the rules, which serves the bare file, and the same with them in one or two ways. */
const serversOf = (
  title: string,
  host: HostAdapter,
  file: string,
  bare: Configuration,
  ...others: readonly (readonly [name: string, configuration: Configuration])[]
): readonly Server[] => [
  { name: `${title}, bare file`, host, program: configured(host, file, bare) },
  ...others.map(([name, configuration]) => ({
    name,
    host,
    bare: `${title}, bare file`,
    program: configured(host, file, configuration),
  })),
];

const nothing = () => "";

/** A file of the API's configuration. */
const part = ({ base, configuration }: ProgramSite, ending: string): string =>
  `${configuration}/${apiName(base)}.${ending}`;

export const servers: readonly Server[] = [
  ...serversOf("nginx", nginx, "nginx.conf", nginxConf(nothing, nothing), [
    "nginx",
    nginxConf(
      (site) => `variables_hash_bucket_size 128;
  map "" $${apiName(site.base)}_root { default "${site.publishRoot}"; }
  include "${part(site, "maps.conf")}";`,
      (site) => `include "${part(site, "server.conf")}";\n    include "${part(site, "only.conf")}";`,
    ),
  ]),
  ...serversOf(
    "Caddy",
    caddy,
    "Caddyfile",
    caddyfile(nothing, () => "file_server"),
    [
      "Caddy",
      caddyfile(
        (site) => `(${apiName(site.base)}_root) {
	root * "${site.publishRoot}"
}
import "${part(site, "caddy")}"`,
        ({ base }) => `import ${apiName(base)}_only`,
      ),
    ],
  ),
  ...serversOf(
    "Apache",
    apache,
    "httpd.conf",
    httpdConf("None", nothing),
    ["Apache, .htaccess", httpdConf("FileInfo Indexes", nothing)],
    ["Apache, virtual host", httpdConf("None", (site) => `Include "${part(site, "conf")}"`)],
  ),
];
