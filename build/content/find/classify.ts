// A file's path determines its role: api.yaml, deployments/NAME.yaml, nodes.json, nodes/europe/lhr.ndjson.
import type { Api } from "../../../src/model/api.ts";
import type { Sentences } from "../../messages.ts";
import { closest, nearest } from "../../text/slips.ts";
import { dataExtensions, formatOf } from "../formats/formats.ts";
import { fieldsOfPath, globsOf, stem, topOf } from "./globs.ts";

export type Role =
  | { readonly kind: "settings" | "logo" | "introduction" }
  | { readonly kind: "deployment"; readonly name: string }
  | { readonly kind: "items"; readonly operation: string };

/** The role of a file that is not read, and why. */
export interface NoRole extends Sentences {
  readonly kind: "none";
  readonly code: "unknown-file" | "ambiguous-file";
  /** The places to which the file probably belongs, whose content is therefore incomplete. */
  readonly meant: readonly string[];
}

type Lists = Pick<Api, "lists">;

/** The files that may hold the logo. */
export const logoFiles = ["logo.svg", "logo.png"] as const;

export const isLogo = (file: string): boolean => logoFiles.some((logo) => logo === file);

export function classify(file: string, { lists }: Lists): Role | NoRole {
  if (isLogo(file)) return { kind: "logo" };
  if (file === "introduction.md") return { kind: "introduction" };
  const format = formatOf(file);
  // Few files need it, and it takes longer than all else here.
  const meant = () => meantBy(file, { lists });
  if (format === undefined) {
    const message = `Its name ends with none of .${dataExtensions.join(", .")}, so it is not content.`;
    const isMeant = formatOf(file.toLowerCase()) !== undefined;
    return isMeant ? unknown(message, "Write the ending in lowercase.", meant()) : unknown(message);
  }
  const [top = "", ...below] = file.split("/");
  const name = below.length === 0 ? stem(top) : top;
  const isData = format !== "csv" && format !== "markdown";
  if (name === "api" && below.length === 0 && isData) return { kind: "settings" };
  if (name === "deployments") return deployment(below, isData);
  const owners = lists.filter((list) => {
    if (list.source.kind !== "files") return false;
    const { globs } = list.source;
    return globs === undefined ? list.name === name : fieldsOfPath(globs, file) !== undefined;
  });
  const [owner, other] = owners;
  if (owner !== undefined && other !== undefined) {
    const names = owners.map((list) => list.name);
    const message = `This is a file of several collections: ${names.join(", ")}.`;
    const hint = "Change the option files of one of them, or move the file.";
    return { kind: "none", code: "ambiguous-file", text: message, hint, meant: names };
  }
  if (owner !== undefined) return { kind: "items", operation: owner.name };
  const source = lists.find((list) => list.name === name)?.source;
  if (source !== undefined && source.kind !== "files") {
    const how = source.kind === "load" ? `loads ${name}` : `makes ${name} from ${source.operation}`;
    return unknown(`The declaration ${how}, so no file holds its items.`);
  }
  const globs = lists.map((list) => globsOf(list) ?? []).filter((all) => all.some((glob) => topOf(glob) === name));
  if (globs.length > 0)
    return unknown(
      "No collection has files with this path.",
      `The files there are ${globs.flat().join(", ")}.`,
      meant(),
    );
  const places = [...lists.filter(hasFiles).flatMap((list) => globsOf(list) ?? [list.name]), "deployments", "api"];
  // Markdown is probably a note.
  const general = format === "markdown" ? elsewhere : `Content is at ${places.join(", ")}.`;
  const hint = name === "api" ? "The settings are the file api.yaml." : (nearest(name, places) ?? general);
  return unknown(`No collection is called ${JSON.stringify(name)}.`, hint, meant());
}

/** Whether files hold the items of a collection: not if the declaration loads them or makes them from others. */
const hasFiles = ({ source }: Api["lists"][number]): boolean => source.kind === "files";

export const elsewhere = "Move it out of the content folder, or start its name with a dot.";

const unknown = (text: string, hint = elsewhere, meant: readonly string[] = []): NoRole => ({
  kind: "none",
  code: "unknown-file",
  text,
  hint,
  meant,
});

/** The places whose name equals or resembles the first part of a path: collections, `deployments` and `api`. */
export function meantBy(file: string, { lists }: Lists): readonly string[] {
  const tops = lists
    .filter(hasFiles)
    .map((operation) => ({ name: operation.name, folders: (globsOf(operation) ?? [operation.name]).map(topOf) }));
  const names = tops.flatMap(({ folders }) => folders.filter((top) => top !== undefined));
  const top = closest(stem(file.split("/")[0] ?? ""), [...names, "deployments", "api"]);
  if (top === "deployments" || top === "api") return [top];
  // A glob such as **/*.md may match any file.
  return tops.filter(({ folders }) => folders.includes(top) || folders.includes(undefined)).map(({ name }) => name);
}

function deployment([file = "", ...deeper]: readonly string[], isData: boolean): Role | NoRole {
  const name = stem(file);
  if (isData && deeper.length === 0 && /^[a-z0-9_-]+$/.test(name)) return { kind: "deployment", name };
  return unknown(
    "It is not a deployment, so it is not content.",
    "A deployment is a YAML or JSON file directly in the folder deployments/, with a name of lowercase letters, digits, underscores and hyphens.",
  );
}
