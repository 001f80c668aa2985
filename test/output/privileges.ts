// Processes that the permissions of files can stop: those of root ignore them.
import { spawnSync } from "node:child_process";

const nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];

/**
 * The words before a command that runs without the privileges of root; none if this process has none. Skips the test if the
 * command could not read one of the files that it needs, such as those of a checkout in a folder that only root may enter.
 */
export function withoutPrivileges(skip: (why: string) => never, files: readonly string[]): readonly string[] {
  if (process.getuid?.() !== 0) return [];
  const unreadable = files.find((file) => spawnSync("env", [...nobody, "test", "-r", file]).status !== 0);
  if (unreadable !== undefined) skip(`setpriv does not run here, or others than root may not read ${unreadable}`);
  return nobody;
}
