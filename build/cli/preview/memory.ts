// The site of a plan: each file is made when it is asked for.
import type { BuildPlan } from "../../build.ts";
import type { Diagnostic } from "../../diagnostics.ts";
import { bytesOf, encode } from "../../file.ts";
import type { Site } from "./preview.ts";

export interface MemorySite extends Site {
  /** Answers from another plan from now on. */
  show(plan: BuildPlan): void;
  /** Pages for people begin with these faults from now on, until there is another plan. */
  warn(faults: readonly Diagnostic[]): void;
}

export function openMemory(first: BuildPlan): MemorySite {
  let plan = first;
  let faults: readonly Diagnostic[] = [];
  const isForPeople = (file: string): boolean =>
    plan.documents.some((each) => each.file === file && each.contentType.startsWith("text/html"));
  return {
    table: () => plan.table,
    has: (file) => plan.find(file) !== undefined,
    async read(file) {
      const found = plan.find(file);
      if (found === undefined) return undefined;
      return faults.length > 0 && isForPeople(file) ? withFaults(bytesOf(found).toString(), faults) : bytesOf(found);
    },
    show(next) {
      [plan, faults] = [next, []];
    },
    warn(found) {
      faults = found;
    },
  };
}

const withFaults = (html: string, faults: readonly Diagnostic[]): Uint8Array => {
  const lines = faults.map(({ file, line, column, code, message }) => `${file}:${line}:${column} ${code} ${message}`);
  const text = lines.join("\n").replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const title = "This page is of the last valid content. What is wrong now:";
  return encode(html.replace(/<body[^>]*>/, (body) => `${body}<pre role="alert">${title}\n\n${text}</pre>`));
};
