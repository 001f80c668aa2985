// A file's path determines its role: api.yaml, deployments/NAME.yaml, nodes.json, nodes/europe/lhr.ndjson.
import type { Api } from "../../src/api.ts";
import type { FaultDetails } from "../diagnostics.ts";
import { closest, nearest } from "../slips.ts";
import { dataExtensions, formatOf } from "./formats/formats.ts";

export type Role =
  | { readonly kind: "settings" }
  | { readonly kind: "deployment"; readonly name: string }
  | { readonly kind: "items"; readonly operation: string };

export interface Unknown {
  readonly kind: "unknown";
  readonly details: FaultDetails["unknown-file"];
  /** The top-level place to which the file probably belongs, whose content is therefore incomplete. */
  readonly meant?: string | undefined;
}

type Lists = Pick<Api, "lists">;

/** The places at the top level of the content folder. */
const placesOf = ({ lists }: Lists): readonly string[] => [...lists.map(({ name }) => name), "deployments", "api"];

export function classify(file: string, api: Lists): Role | Unknown {
  const [top = "", ...below] = file.split("/");
  if (formatOf(file) === undefined) return wrongExtension(file, api);
  const name = below.length === 0 ? stem(top) : top;
  if (api.lists.some((each) => each.name === name)) return { kind: "items", operation: name };
  if (name === "api" && below.length === 0) return { kind: "settings" };
  if (name === "deployments") return deployment(below);
  const places = placesOf(api);
  const hint = name === "api" ? "The settings are the file api.yaml." : nearest(name, places);
  const details = {
    reason: `Unknown content type ${JSON.stringify(name)}`,
    hint: hint ?? `The content types are ${places.join(", ")}.`,
  };
  return { kind: "unknown", details, meant: placeOf(file, api) };
}

/** The place whose name equals or resembles the first part of a path. */
export const placeOf = (file: string, api: Lists): string | undefined =>
  closest(stem(file.split("/")[0] ?? ""), placesOf(api));

function wrongExtension(file: string, api: Lists): Unknown {
  const reason = `Its name ends with none of ${dataExtensions.map((extension) => `.${extension}`).join(", ")}`;
  if (formatOf(file.toLowerCase()) === undefined) return unknown(reason);
  return { ...unknown(reason, "Write the ending in lowercase."), meant: placeOf(file, api) };
}

function deployment([file = "", ...deeper]: readonly string[]): Role | Unknown {
  const name = stem(file);
  if (name === "" || deeper.length > 0)
    return unknown("It does not lie directly in the folder deployments/, as a deployment does");
  if (/^[a-z0-9_-]+$/.test(name)) return { kind: "deployment", name };
  return unknown(
    "Its name is not made of lowercase letters, digits, underscores and hyphens, as a deployment's is",
    "Rename the file.",
  );
}

const unknown = (reason: string, hint?: string): Unknown => ({
  kind: "unknown",
  details: { reason: `${reason}, so it is not content`, hint },
});

/** A file's or folder's name up to its first dot. */
export const stem = (name: string): string => {
  const dot = name.indexOf(".");
  return dot === -1 ? name : name.slice(0, dot);
};
