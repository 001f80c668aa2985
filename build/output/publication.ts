// The folder to publish and, beside it, the folder of the files that hosts read and must not serve: dist/ and
// dist.hosts/nginx/….
import { existsSync } from "node:fs";
import { type OnChange, type OutputOptions, type OutputPlan, openOutput } from "./folder.ts";
import { besideFolder } from "./location.ts";

/** The caller must close it. */
export interface Publication {
  /**
   * Once. Stages for both folders before it changes one, so that a refusal leaves both as they are. Resolves to the files
   * of the folder beside that an earlier build had written with other bytes.
   */
  write(root: OutputPlan, beside: OutputPlan, onChange: OnChange): Promise<ReadonlySet<string>>;
  close(): void;
}

export interface PublicationOptions extends OutputOptions {
  /** Recognises the marker of the folder beside. */
  readonly ownedBeside: OutputOptions["ownedBy"];
  /** Whether the folder beside is needed. It is written, too, if it is there from an earlier build. */
  readonly needsBeside: boolean;
}

/** Takes the locks of both folders. */
export async function openPublication(
  out: string,
  { ownedBeside, needsBeside, ...options }: PublicationOptions,
): Promise<Publication> {
  const root = await openOutput(out, options);
  try {
    const folder = besideFolder(out);
    const isNeeded = needsBeside || existsSync(folder);
    const beside = isNeeded ? await openOutput(folder, { ...options, ownedBy: ownedBeside }) : undefined;
    return {
      async write(rootPlan, besidePlan, onChange) {
        const commit = await root.stage(rootPlan, onChange);
        const replaced = new Set<string>();
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
