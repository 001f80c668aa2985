// The hosts that a new repository publishes to, and the settings of the repository that publishing needs.
import type { Publishing } from "../../hosts/host.ts";
import { withAnd } from "../../text/words.ts";

/** A host that the repository publishes to. */
export interface Target {
  readonly host: string;
  readonly publishing: Publishing;
}

export type Targets = readonly [Target, ...Target[]];

/** A secret or variable of the repository that publishing to a host needs. */
export interface Setting {
  readonly kind: "secret" | "variable";
  /** In the environment of the commands that publish. */
  readonly variable: string;
  /** In the settings of the repository. */
  readonly name: string;
  readonly meaning: string;
}

export interface TargetSettings extends Target {
  /** The variable of the repository with the address of the published API. */
  readonly address: string;
  readonly settings: readonly Setting[];
  /** The option of `verify`, if the build is for several hosts. */
  readonly hostOption: string;
}

/** A name that an earlier host needs too has the name of the host before it, as in `CADDY_SERVER`. */
export function settingsOf(targets: Targets): readonly TargetSettings[] {
  const named = new Set<string>();
  return targets.map(({ host, publishing }) => {
    const nameFor = (name: string): string => {
      const free = named.has(name) ? `${host.toUpperCase().replaceAll("-", "_")}_${name}` : name;
      named.add(free);
      return free;
    };
    const settingsIn = (kind: Setting["kind"], all: Readonly<Record<string, string>> = {}): readonly Setting[] =>
      Object.entries(all).map(([variable, meaning]) => ({ kind, variable, name: nameFor(variable), meaning }));
    return {
      host,
      publishing,
      address: nameFor("API_URL"),
      settings: [...settingsIn("secret", publishing.secrets), ...settingsIn("variable", publishing.variables)],
      hostOption: targets.length === 1 ? "" : ` --host ${host}`,
    };
  });
}

/** `Netlify, nginx and Caddy` */
export const titleOf = (targets: Targets): string => withAnd(targets.map(({ publishing }) => publishing.title));

export const setUpOf = (targets: Targets, name: string): string =>
  targets
    .map(({ publishing: { title, setUp } }) => (targets.length === 1 ? setUp(name) : `**${title}:** ${setUp(name)}`))
    .join("\n\n");

export const linkTo = ({ host, publishing }: Target): string =>
  `[How ${publishing.title} answers, and how to roll back](node_modules/stillapi/docs/hosts/${host}.md) ·`;

export function settingRows(all: readonly TargetSettings[]): string {
  const rows = all.flatMap(({ publishing, address, settings }, index) => [
    ...(index === 0 ? [] : [`| variable \`${address}\` | the address at ${publishing.title} |`]),
    ...settings.map(({ kind, name, meaning }) => `| ${kind} \`${name}\` | ${meaning} |`),
  ]);
  return rows.join("\n");
}
