// The parts that nginx, Caddy and Apache share: the script that publishes a build to them over ssh with the files that it
// reads, and the program that runs on this machine.
//
// Relied on: without --times rsync gives a transferred file the present time, and --link-dest makes a hard link to a
// file with the same content, whatever its time. nginx, Caddy and Apache derive entity tags from time and size, so an
// entity tag changes if and only if the content changes. https://download.samba.org/pub/rsync/rsync.1
import { asset } from "../../files/asset.ts";
import { bytesOf, type OutputFile, textFile } from "../../files/file.ts";
import { sha256 } from "../../files/sha256.ts";
import type { RoutingTable, Tables } from "../../routing/table.ts";
import { apiName } from "../api-name.ts";
import type { HostAdapter, ProgramSite, Publishing } from "../host.ts";
import { filled, text } from "../syntax.ts";
import { filesOfWholeBuild } from "../whole-build.ts";

export interface Server {
  readonly name: string;
  /** The usual name of the server. */
  readonly title: string;
  /** The files that the server includes, by the end of their names: the start is the name of the API. `others` are the other
   * APIs of the build. */
  readonly configuration: Readonly<Record<string, (table: RoutingTable, others: readonly RoutingTable[]) => string>>;
  /** The command that checks the configuration. */
  readonly check: string;
  readonly reload: string;
  /** Whether only root may usually run the commands. */
  readonly isForRoot?: true;
  /**
   * The file that names the publish root, and its text as a format of printf, with `%s` for the folder. `of` is another API
   * of the build, whose folder is the same: its text is before.
   */
  readonly root: { readonly ending: string; readonly text: (table: RoutingTable, of?: RoutingTable) => string };
  readonly command: string;
  readonly install: string;
  /** The path of standalone.conf in the site's folder: the configuration of a server that serves only the API. */
  readonly standalone: string;
  readonly args: (folder: string) => readonly string[];
  /** What standalone.conf has for the other APIs of the build, by the names of its places. */
  readonly others?: (site: ProgramSite) => Readonly<Record<string, readonly string[]>>;
}

export function ownServer(server: Server) {
  const { name, configuration, command, install, standalone, args, others = () => ({}) } = server;
  return {
    name,
    publishing: publishing(server),
    beside(tables) {
      const files = tables.flatMap((table) => {
        const others = tables.filter((other) => other !== table);
        return Object.entries(configuration).map(([ending, textOf]) =>
          textFile(fileOf(table.base, ending), textOf(table, others)),
        );
      });
      const scripts = ["publish.sh", "target.sh"].map((file) => textFile(file, asset(`hosts/publish/${file}`)));
      return [...files, ...scripts, textFile("publish.settings", settings(server, tables, files))];
    },
    loads: (base) => Object.keys(configuration).map((ending) => fileOf(base, ending)),
    program: {
      command,
      install,
      run: (site) => {
        const { base, folder, port, publishRoot, beside } = site;
        const parts = { name: apiName(base), folder, publishRoot, beside, port: String(port), ...others(site) };
        return {
          files: [textFile(standalone, filled(asset(`hosts/${name}/standalone.conf`), parts))],
          args: args(folder),
          env: { XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder },
        };
      },
    },
  } satisfies Partial<HostAdapter>;
}

const fileOf = (base: string, ending: string): string => `${apiName(base)}.${ending}`;

function settings(
  { title, root, check, reload }: Server,
  [table, ...others]: Tables,
  configuration: readonly OutputFile[],
): string {
  const rootFile = fileOf(table.base, root.ending);
  const rootText = [root.text(table), ...others.map((other) => root.text(other, table))].join("\\n");
  const files = [...configuration, textFile(rootFile, rootText)];
  return text(
    `# The settings of publish.sh for ${title}.`,
    `TITLE=${quoted(title)}`,
    `BASE=${quoted([table, ...others].map(({ base }) => base).join(" "))}`,
    `FILES=${quoted([table, ...others].flatMap(filesOfWholeBuild).join(" "))}`,
    `DIGEST=${sha256(...files.map(bytesOf)).slice(0, 32)}`,
    `ROOT_FILE=${quoted(rootFile)}`,
    `ROOT_TEXT=${quoted(rootText)}`,
    `CHECK=\${CHECK:-${quoted(check)}}`,
    `RELOAD=\${RELOAD:-${quoted(reload)}}`,
  );
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Publishing with the script, over ssh. */
function publishing({ name: host, title, check, reload, isForRoot }: Server): Publishing {
  const sudo = isForRoot ? "sudo " : "";
  return {
    title,
    secrets: { SSH_KEY: "a private key that may log in there" },
    variables: {
      SERVER: "where to publish, such as `deploy@server.example.com:/srv/stillapi`",
      SSH_KNOWN_HOSTS: "the output of `ssh-keyscan server.example.com`",
      CHECK: `the command that checks the configuration there, such as \`${sudo}${check}\``,
      RELOAD: `the command that reloads the server, such as \`${sudo}${reload}\``,
    },
    run: () => [
      "install -d -m 700 ~/.ssh",
      `(umask 077 && printf '%s\\n' "$SSH_KEY" > ~/.ssh/id_ed25519)`,
      `printf '%s\\n' "$SSH_KNOWN_HOSTS" > ~/.ssh/known_hosts`,
      `sh dist.hosts/${host}/publish.sh --reload "$SERVER"`,
    ],
    setUp: () =>
      `Publish once by hand, and load the configuration as \`node_modules/stillapi/docs/hosts/${host}.md\` shows:

\`\`\`sh
npm run build
sh dist.hosts/${host}/publish.sh server:/srv/stillapi
\`\`\``,
  };
}
