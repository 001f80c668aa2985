// The paths of outputs. `{id}` in `/api/cities/{id}.json` stands for the value of a field of each item, which has the form
// of keys. Workers bundle this file, so it imports nothing but the form.
import { pathForm } from "./path-form.ts";

/** The path of an output in a request: below `base`, or with a slash before it below the publish root. */
export const outputPath = (base: string, name: string): string => (name.startsWith("/") ? name : `${base}/${name}`);

const field = /\{([^{}]*)\}/g;

/** The fields in a path, in their order. */
export const fieldsInPath = (path: string): readonly string[] => [...path.matchAll(field)].map(([, name = ""]) => name);

/** The path with each field replaced. */
export const filledPath = (path: string, replace: (name: string) => string): string =>
  path.replace(field, (_, name: string) => replace(name));

/** A regular expression, without anchors and captures, that matches the paths of all items. */
export const patternOfPath = (path: string): string =>
  filledPath(path.replaceAll(".", "\\."), () => pathForm.replace(/^\^|\$$/g, ""));

/** The path with a text from its first field to its last one. */
export const withFields = (path: string, text: string): string => path.replace(/\{.*\}/, () => text);

/** Like `patternOfPath`, with a capture from the first field to the last one. */
export const capturingPattern = (path: string): string => patternOfPath(path.replace(/\{.*\}/, "($&)"));
