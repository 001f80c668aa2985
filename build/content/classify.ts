// Which file holds what follows from its path: api.yaml, deployments/NAME.yaml, nodes.json, nodes/europe/lhr.ndjson.
import { listOperations } from "../../src/operations.ts";
import { type FaultDetails, nearest } from "../diagnostics.ts";
import { dataExtensions, formatOf } from "./formats/formats.ts";

export type Role =
  | { readonly kind: "settings" }
  | { readonly kind: "deployment"; readonly name: string }
  | { readonly kind: "items"; readonly operation: string };

export type Classified = Role | { readonly kind: "unknown"; readonly details: FaultDetails["unknown-file"] };

const resources = listOperations.map(({ name }) => name);

const unknown = (reason: string, hint?: string): Classified => ({ kind: "unknown", details: { reason, hint } });

export function classify(file: string): Classified {
  const [top = "", ...below] = file.split("/");
  const name = stem(top);
  if (formatOf(file) === undefined) {
    return unknown(`Its name ends with none of ${dataExtensions.map((extension) => `.${extension}`).join(", ")}`);
  }
  if (resources.includes(name) && (below.length === 0 || name === top)) return { kind: "items", operation: name };
  if (name === "api" && below.length === 0) return { kind: "settings" };
  if (top === "deployments" && below.length === 1) return deployment(stem(below[0] ?? ""));
  if (name === "deployments") return unknown("Deployments are files of their own directly below deployments/");
  const places = [...resources, "deployments", "api"];
  return unknown(
    `Nothing is kept under the name ${JSON.stringify(name)}`,
    nearest(name, places) ?? `Known are ${places.join(", ")}.`,
  );
}

function deployment(name: string): Classified {
  if (/^[a-z0-9_-]+$/.test(name)) return { kind: "deployment", name };
  return unknown("A deployment's name is made of lowercase letters, digits, underscores and hyphens");
}

/** A file's or folder's name up to its first dot. */
export const stem = (name: string): string => {
  const dot = name.indexOf(".");
  return dot === -1 ? name : name.slice(0, dot);
};
