import { rmdirSync } from "node:fs";
import { hasCode } from "../machine-error.ts";

/** Whether the folder is gone now, or was before. What has something in it stays. */
export function removeIfEmpty(folder: string): boolean {
  try {
    rmdirSync(folder);
  } catch (error) {
    if (hasCode(error, "ENOTEMPTY", "EEXIST")) return false;
    if (!hasCode(error, "ENOENT")) throw error;
  }
  return true;
}
