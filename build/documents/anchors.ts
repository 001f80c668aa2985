// The permanent anchors of the reference.
import type { ListOperation, Operation } from "../../src/operation.ts";

export const operationAnchor = ({ kind, name }: Operation): string => `${kind === "list" ? "list" : "get"}-${name}`;

export const itemAnchor = ({ name }: ListOperation): string => `item-${name}`;

export const resourceAnchor = (title: string): string => `resource-${slug(title)}`;

export function fieldAnchor(title: string, path: string): string {
  const parts = path
    .replace(/\[\]$/, ".each")
    .replaceAll("[]", "")
    .replace(/\[(\d+)\]/g, ".$1");
  return `${slug(title)}.${parts.replaceAll("*", "each")}`;
}

export const errorAnchor = (code: string): string => `error-${code}`;

const slug = (title: string): string => title.toLowerCase().replaceAll(/[^a-z]+/g, "-");
