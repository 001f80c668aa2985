// The folder to publish and, beside it, the folder of the files that hosts read and must not serve: dist/ and
// dist.hosts/nginx/….
import { existsSync } from "node:fs";
import { type FolderOptions, type FolderPlan, type OnChange, openFolder } from "./folder.ts";
import { besideFolder } from "./location.ts";

/** The caller must close it. */
export interface Output {
  /**
   * Once. Stages for both folders before it changes one, so that a refusal leaves both as they are. Resolves to the files
   * of the folder beside that an earlier build had written with other bytes.
   */
  write(root: FolderPlan, beside: FolderPlan, onChange: OnChange): Promise<ReadonlySet<string>>;
  close(): void;
}

export interface OutputOptions extends FolderOptions {
  /** Recognises the marker of the folder beside. */
  readonly ownedBeside: FolderOptions["ownedBy"];
  /** Whether the folder beside is needed. It is written, too, if it is there from an earlier build. */
  readonly needsBeside: boolean;
}

/** Takes the locks of both folders. */
export async function openOutput(out: string, options: OutputOptions): Promise<Output> {
  const { ownedBeside, needsBeside } = options;
  const root = await openFolder(out, options);
  try {
    const folder = besideFolder(out);
    const isNeeded = needsBeside || existsSync(folder);
    // The configuration of an API that the build may replace.
    const besideOptions = { ...options, ownedBy: ownedBeside, replaces: true };
    const beside = isNeeded ? await openFolder(folder, besideOptions) : undefined;
    return {
      async write(rootPlan, besidePlan, onChange) {
        const replaced = new Set<string>();
        const commit = await root.stage(rootPlan, onChange);
        const commitBeside = await beside?.stage(besidePlan, ({ file, kind, before }) => {
          if (kind === "written" && before !== undefined) replaced.add(file);
        });
        await commit();
        await commitBeside?.();
        return replaced;
      },
      close() {
        beside?.close();
        root.close();
      },
    };
  } catch (error) {
    root.close();
    throw error;
  }
}
