// The parts that nginx, Caddy and Apache share: the files that they include, how a build is published to them, and the
// program that runs on this machine.
import { asset } from "../files/asset.ts";
import { textFile } from "../files/file.ts";
import { mapNonEmpty } from "../values/non-empty.ts";
import type { HostAdapter, ProgramSite, PublishedServer, Publishing } from "./host.ts";
import { filled, text } from "./syntax.ts";
import { apiName, type HostView, headingOf, viewOf } from "./view.ts";

export interface Server extends Omit<PublishedServer, "rootFile"> {
  readonly name: string;
  /** The usual name of the server. */
  readonly title: string;
  /**
   * The files that the server includes, by the end of their names: the start is the name of the API. `others` are the other
   * APIs of the build.
   */
  readonly texts: Readonly<Record<string, (view: HostView, others: readonly HostView[]) => string>>;
  /** Whether only root may usually run the commands. */
  readonly isForRoot?: true;
  /**
   * The file that names the publish root, and its text for the folder of the pages. `of` is another API of the build, whose
   * folder is the same: its text is before.
   */
  readonly root: {
    readonly ending: string;
    readonly text: (view: HostView, pages: string, of?: HostView) => string;
  };
  readonly command: string;
  readonly install: string;
  /** The path of standalone.conf in the site's folder: the configuration of a server that serves only the API. */
  readonly standalone: string;
  readonly args: (folder: string) => readonly string[];
  /** What standalone.conf has for the other APIs of the build, by the names of its places. */
  readonly others?: (site: ProgramSite) => Readonly<Record<string, readonly string[]>>;
}

export function ownServer(server: Server) {
  const { name, texts, command, install, standalone, args, others = () => ({}) } = server;
  return {
    name,
    publishing: publishing(server),
    configuration(tables) {
      const views = tables.map(viewOf);
      return views.flatMap((view) => {
        const others = views.filter((other) => other !== view);
        return Object.entries(texts).map(([ending, textOf]) =>
          textFile(configurationFile(view.base, ending), `# ${headingOf([view.table])}\n${textOf(view, others)}`),
        );
      });
    },
    loads: (base) => Object.keys(texts).map((ending) => configurationFile(base, ending)),
    program: {
      command,
      install,
      run: (site) => {
        const { base, folder, port, publishRoot, configuration } = site;
        const parts = { name: apiName(base), folder, publishRoot, configuration, port: String(port), ...others(site) };
        return {
          files: [textFile(standalone, filled(asset(`hosts/${name}/standalone.conf`), parts))],
          args: args(folder),
          env: { XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder },
        };
      },
    },
  } satisfies Partial<HostAdapter>;
}

const configurationFile = (base: string, ending: string): string => `${apiName(base)}.${ending}`;

/** Publishing over ssh. */
function publishing({ name: host, title, check, reload, isForRoot, root, syntax }: Server): Publishing {
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
      `npm run publish -- ${host} "$SERVER" --reload --check-command "$CHECK" --reload-command "$RELOAD"`,
    ],
    setUp: () =>
      `Publish once by hand, and load the configuration as \`node_modules/stillapi/docs/hosts/${host}.md\` shows:

\`\`\`sh
npm run build
npm run publish -- ${host} server:/srv/stillapi
\`\`\``,
    server: {
      check,
      reload,
      syntax,
      rootFile(tables, pages) {
        const [first, ...others] = mapNonEmpty(tables, viewOf);
        const texts = [root.text(first, pages), ...others.map((other) => root.text(other, pages, first))];
        return textFile(configurationFile(first.base, root.ending), text(`# ${headingOf(tables)}`, ...texts));
      },
    },
  };
}
