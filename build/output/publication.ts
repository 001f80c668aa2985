// The folder to publish and, beside it, the folder of the files that hosts read and must not serve: dist/ and
// dist.hosts/nginx/….
import { existsSync } from "node:fs";
import path from "node:path";
import { type OutputFolder, type OutputOptions, type OutputPlan, type OutputResult, openOutput } from "./folder.ts";
import type { Ownership } from "./ownership.ts";
import type { Change } from "./stage.ts";

export interface PublicationPlan extends OutputPlan {
  /** The files of the folder beside. */
  readonly beside: OutputPlan["files"];
}

export interface PublicationResult extends OutputResult {
  /** The files of the folder beside that an earlier build had written with other bytes. */
  readonly replacedBeside: ReadonlySet<string>;
}

/** The caller must close it. */
export interface Publication extends Pick<OutputFolder, "foreignAmong" | "close"> {
  write(plan: PublicationPlan, onChange: (change: Change) => void): Promise<PublicationResult>;
}

export interface PublicationOptions extends OutputOptions {
  /** How the program knows its files in the folder beside. */
  readonly beside: Ownership;
  /** Whether the folder beside is needed. It is written, too, if it is there from an earlier build. */
  readonly needsBeside: boolean;
}

/** `dist.hosts` for `dist`. */
export const besideFolder = (out: string): string => `${path.normalize(out).replace(/[\\/]$/, "")}.hosts`;

/** Takes both locks and stages for both folders, so that a refusal leaves both as they are. */
export async function openPublication(
  out: string,
  { beside: ownership, needsBeside, ...options }: PublicationOptions,
): Promise<Publication> {
  const root = await openOutput(out, options);
  const folder = besideFolder(out);
  const isNeeded = needsBeside || existsSync(folder);
  try {
    const beside = isNeeded ? await openOutput(folder, { ownership, onWait: options.onWait }) : undefined;
    return {
      async write({ beside: files, ...plan }, onChange) {
        const staged = await root.stage(plan, onChange);
        const replacedBeside = new Set<string>();
        const stagedBeside = await beside?.stage({ marker: plan.marker, files }, ({ file, kind, before }) => {
          if (kind === "written" && before !== undefined) replacedBeside.add(file);
        });
        const result = await staged.commit();
        await stagedBeside?.commit();
        return { ...result, replacedBeside };
      },
      foreignAmong: (files) => root.foreignAmong(files),
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
