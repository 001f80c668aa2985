// The next build would read output inside the content as content, and a build could overwrite content inside the output.
// Links and mounted folders may hide either case.
import { realpathSync, statSync } from "node:fs";
import path from "node:path";
import { MachineError } from "../machine-error.ts";
import { besideFolder } from "./location.ts";

export function refuseOverlap(content: string, out: string): void {
  for (const folder of [out, besideFolder(out)]) {
    const [from, to] = [realPath(content), realPath(path.resolve(folder))];
    const [inner, outer] = isInside(from, to) ? [content, folder] : isInside(to, from) ? [folder, content] : [];
    if (inner === undefined || outer === undefined) continue;
    throw new MachineError(
      `${inner} is inside ${outer === "." ? "this folder" : outer}.`,
      "Choose an output folder outside the content.",
    );
  }
}

/** The folder may be missing. */
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

/** Does not depend on the mount point, or on the case of the name. */
function identityOf(folder: string): string | undefined {
  const state = statSync(folder, { bigint: true, throwIfNoEntry: false });
  return state && `${state.dev} ${state.ino}`;
}
