// Output inside the content would be content the next time; content inside the output could be overwritten. Links and
// mounted folders may hide either.
import { realpathSync, statSync } from "node:fs";
import path from "node:path";
import { MachineError } from "../machine-error.ts";
import { besideFolder } from "./publication.ts";

export function refuseOverlap(content: string, out: string): void {
  for (const folder of [out, besideFolder(out)]) {
    const [from, to] = [realPath(content), realPath(path.resolve(folder))];
    const [inner, outer] = isInside(from, to) ? [content, folder] : isInside(to, from) ? [folder, content] : [];
    if (inner === undefined || outer === undefined) continue;
    throw new MachineError(`${inner} is inside ${outer}.`, "Choose an output folder outside the content.");
  }
}

/** Of a folder that may not be there yet. */
function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    const parent = path.dirname(folder);
    return parent === folder ? path.resolve(folder) : path.join(realPath(parent), path.basename(folder));
  }
}

/** Whether a folder is another one, or in it at any depth. */
function isInside(inner: string, outer: string): boolean {
  const identity = identityOf(outer);
  for (let folder = inner; ; folder = path.dirname(folder)) {
    if (folder === outer || (identity !== undefined && identityOf(folder) === identity)) return true;
    if (folder === path.dirname(folder)) return false;
  }
}

/** The same wherever the folder is mounted, and in whatever case its name is written. */
function identityOf(folder: string): string | undefined {
  const state = statSync(folder, { bigint: true, throwIfNoEntry: false });
  return state && `${state.dev} ${state.ino}`;
}
