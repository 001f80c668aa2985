// The permanent anchors of the reference.
import type { Operation } from "../../src/operation.ts";

export const operationAnchor = ({ kind, name }: Operation): string => `${kind === "list" ? "list" : "get"}-${name}`;

export const resourceAnchor = (title: string): string => `resource-${slug(title)}`;

export const fieldAnchor = (title: string, path: string): string => `${slug(title)}.${path.replaceAll("[]", "")}`;

export const errorAnchor = (code: string): string => `error-${code}`;

const slug = (title: string): string => title.toLowerCase().replaceAll(/[^a-z]+/g, "-");
