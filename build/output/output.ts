// The folder to publish and, beside it, the folder of the files that hosts read and must not serve: dist/ and
// dist.hosts/nginx/….
import { existsSync } from "node:fs";
import type { OutputFile } from "../files/file.ts";
import { type FolderOptions, type FolderPlan, type OnChange, openFolder } from "./folder.ts";
import { configurationFolder } from "./location.ts";

/** The caller must close it. */
export interface Output {
  /**
   * Once. Stages for both folders before it changes one, so that a refusal leaves both as they are. Resolves to the files
   * of the configuration that an earlier build had written with other bytes.
   */
  write(root: FolderPlan, configuration: ConfigurationPlan, onChange: OnChange): Promise<ReadonlySet<string>>;
  close(): void;
}

/** There are none if no host has such files. */
interface ConfigurationPlan extends FolderPlan {
  readonly files: readonly OutputFile[];
}

/** Takes the lock of the folder to publish. The folder of the configuration is locked while both are written. */
export async function openOutput(out: string, options: FolderOptions): Promise<Output> {
  const root = await openFolder(out, options);
  return {
    async write(rootPlan, configurationPlan, onChange) {
      const folder = configurationFolder(out);
      // The configuration of an API that the build may replace.
      const configurationOptions = { ...options, replaces: true };
      // An earlier build may have left files that this one has no more.
      const isNeeded = configurationPlan.files.length > 0 || existsSync(folder);
      const configuration = isNeeded ? await openFolder(folder, configurationOptions) : undefined;
      try {
        const replaced = new Set<string>();
        const commit = await root.stage(rootPlan, onChange);
        const commitConfiguration = await configuration?.stage(configurationPlan, ({ file, kind, before }) => {
          if (kind === "written" && before !== undefined) replaced.add(file);
        });
        await commit();
        await commitConfiguration?.();
        return replaced;
      } finally {
        configuration?.close();
      }
    },
    close: root.close,
  };
}
