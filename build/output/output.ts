// The folder to publish and, beside it, the folder of the files that hosts read and must not serve: dist/ and
// dist.hosts/nginx/….
import { existsSync } from "node:fs";
import type { OutputFile } from "../files/file.ts";
import { type FolderOptions, type FolderPlan, type OnChange, openFolder } from "./folder.ts";
import { besideFolder } from "./location.ts";

/** The caller must close it. */
export interface Output {
  /**
   * Once. Stages for both folders before it changes one, so that a refusal leaves both as they are. Resolves to the files
   * of the folder beside that an earlier build had written with other bytes.
   */
  write(root: FolderPlan, beside: BesidePlan, onChange: OnChange): Promise<ReadonlySet<string>>;
  close(): void;
}

/** There are none if no host has such files. */
interface BesidePlan extends FolderPlan {
  readonly files: readonly OutputFile[];
}

/** Takes the lock of the folder to publish. The folder beside is locked while both are written. */
export async function openOutput(out: string, options: FolderOptions): Promise<Output> {
  const root = await openFolder(out, options);
  return {
    async write(rootPlan, besidePlan, onChange) {
      const folder = besideFolder(out);
      // The configuration of an API that the build may replace.
      const besideOptions = { ...options, replaces: true };
      // An earlier build may have left files that this one has no more.
      const isNeeded = besidePlan.files.length > 0 || existsSync(folder);
      const beside = isNeeded ? await openFolder(folder, besideOptions) : undefined;
      try {
        const replaced = new Set<string>();
        const commit = await root.stage(rootPlan, onChange);
        const commitBeside = await beside?.stage(besidePlan, ({ file, kind, before }) => {
          if (kind === "written" && before !== undefined) replaced.add(file);
        });
        await commit();
        await commitBeside?.();
        return replaced;
      } finally {
        beside?.close();
      }
    },
    close: root.close,
  };
}
