// The script that publishes a build to a server over ssh, with the scripts and settings that it reads from its folder.
//
// Relied on: without --times rsync gives a transferred file the present time, and --link-dest makes a hard link to a
// file with the same content, whatever its time. nginx, Caddy and Apache derive entity tags from time and size, so an
// entity tag changes if and only if the content changes. https://download.samba.org/pub/rsync/rsync.1
import { asset } from "../../asset.ts";
import { type OutputFile, textFile } from "../../file.ts";
import { apiFolder } from "../../routing/paths.ts";
import { type RoutingTable, tableFile } from "../../routing/table.ts";
import { sha256 } from "../../sha256.ts";
import type { Publishing } from "../host.ts";
import { documentsOutside, foldersOf } from "../known-paths.ts";

/** A server that the script publishes to. */
export interface Server {
  /** The usual name of the server. */
  readonly title: string;
  /** The command that checks the configuration. */
  readonly check: string;
  readonly reload: string;
  /** Whether only root may usually run the commands. */
  readonly isForRoot?: true;
  /** The file that names the publish root, and its text with `%s` for the folder. */
  readonly root: { readonly file: string; readonly text: string };
}

/**
 * Returns the script, and the files that it reads. The server includes the files of `configuration`, and reads the files
 * `owns` in the publish root. Without the latter, pages cannot be published in place, separately from the configuration.
 */
export const publishScript = (
  table: RoutingTable,
  server: Server,
  configuration: readonly OutputFile[],
  owns: readonly string[] = [],
): readonly OutputFile[] => {
  const isOutside = (file: string) => !file.startsWith(`${apiFolder(table.base)}/`);
  const outside =
    owns.length === 0 ? [] : [tableFile, ...owns.filter(isOutside), ...documentsOutside(table).map(({ file }) => file)];
  return [
    ...["publish.sh", "state.sh", "activate.sh"].map(scriptFile),
    textFile("publish.settings", settings(table, server, configuration, outside)),
    ...(owns.length === 0 ? [] : [scriptFile("in-place.sh"), textFile("publish.filter", filter(table, outside))]),
  ];
};

const scriptFile = (name: string): OutputFile => textFile(name, asset(`hosts/publish/${name}`));

function settings(
  { base }: RoutingTable,
  { title, root, check, reload }: Server,
  configuration: readonly OutputFile[],
  outside: readonly string[],
): string {
  const files = [...configuration, textFile(root.file, root.text)];
  return `# The settings of publish.sh for ${title}.
TITLE=${quoted(title)}
DIGEST=${sha256(...files.flatMap((file) => file.parts())).slice(0, 32)}
FILES=${quoted(configuration.map(({ file }) => file).join(" "))}
ROOT_FILE=${quoted(root.file)}
ROOT_TEXT=${quoted(root.text)}
CHECK=\${CHECK:-${quoted(check)}}
RELOAD=\${RELOAD:-${quoted(reload)}}
# Published in place: a folder, and these files.
API=${quoted(apiFolder(base))}
ROOT_FILES=${quoted(outside.join(" "))}
`;
}

/** rsync's rules for publishing in place: other files are neither sent nor deleted. */
function filter({ base }: RoutingTable, outside: readonly string[]): string {
  const folder = apiFolder(base);
  const folders = new Set([folder, ...outside].flatMap(foldersOf));
  return [...[...folders, ...outside].map((file) => `+ /${file}`), `+ /${folder}/***`, "- *", ""].join("\n");
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Publishing with the script, over ssh. */
export function publishing(host: string, { title, check, reload, isForRoot }: Server): Publishing {
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
