// The script that publishes a build to a server over ssh, with the scripts and settings that it reads from its folder.
//
// Relied on: without --times rsync gives a transferred file the present time, and --link-dest makes a hard link to a
// file with the same content, whatever its time. nginx, Caddy and Apache derive entity tags from time and size, so an
// entity tag changes if and only if the content changes. https://download.samba.org/pub/rsync/rsync.1
import { asset } from "../../asset.ts";
import { type OutputFile, textFile } from "../../file.ts";
import { sha256 } from "../../sha256.ts";
import type { Publishing, Site } from "../host.ts";
import { filled, text } from "../syntax.ts";

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

/** The script, and the files that it reads. The server includes the files of `configuration`. */
export const publishScript = (server: Server, configuration: readonly OutputFile[]): readonly OutputFile[] => [
  ...["publish.sh", "target.sh"].map((name) => textFile(name, asset(`hosts/publish/${name}`))),
  textFile("publish.settings", settings(server, configuration)),
];

function settings({ title, root, check, reload }: Server, configuration: readonly OutputFile[]): string {
  const files = [...configuration, textFile(root.file, root.text)];
  return text(
    `# The settings of publish.sh for ${title}.`,
    `TITLE=${quoted(title)}`,
    `DIGEST=${sha256(...files.flatMap((file) => file.parts())).slice(0, 32)}`,
    `ROOT_FILE=${quoted(root.file)}`,
    `ROOT_TEXT=${quoted(root.text)}`,
    `CHECK=\${CHECK:-${quoted(check)}}`,
    `RELOAD=\${RELOAD:-${quoted(reload)}}`,
  );
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

/** The configuration of a server that serves nothing but the API, for the program on this machine. */
export const standalone = (host: string, site: Site): string =>
  filled(asset(`hosts/${host}/standalone.conf`), { ...site, port: String(site.port) });
