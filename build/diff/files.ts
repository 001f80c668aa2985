// The effect of a change on the files of the publish root. Lengths and digests are compared; no page is generated.
import type { BuildPlan } from "../build-plan.ts";
import { newKey } from "../digest.ts";
import { eachFile, type OutputEntry, type OutputFile } from "../file.ts";
import { flatten } from "../flatten.ts";

export interface Amount {
  readonly files: number;
  readonly bytes: number;
}

export interface FileChanges {
  readonly before: Amount;
  readonly after: Amount;
  readonly added: Amount;
  readonly removed: Amount;
  /** The bytes are those after the change. */
  readonly changed: Amount;
}

export function fileChanges(before: BuildPlan, after: BuildPlan): FileChanges {
  const key = newKey();
  const olds = new Map<string, OutputEntry & { readonly digest: number }>();
  const amounts = { before: none(), after: none(), added: none(), removed: none(), changed: none() };
  for (const file of filesOf(before)) {
    const { entry } = file;
    olds.set(entry.file, { ...entry, digest: file.digest(key) });
    count(amounts.before, entry);
  }
  for (const file of filesOf(after)) {
    const { entry } = file;
    const old = olds.get(entry.file);
    olds.delete(entry.file);
    count(amounts.after, entry);
    if (old === undefined) count(amounts.added, entry);
    else if (old.length !== entry.length || old.digest !== file.digest(key)) count(amounts.changed, entry);
  }
  for (const entry of olds.values()) count(amounts.removed, entry);
  return amounts;
}

const filesOf = ({ files, marker }: BuildPlan): Iterable<OutputFile> => eachFile(flatten([files, [marker]]));

const none = () => ({ files: 0, bytes: 0 });

function count(amount: ReturnType<typeof none>, { length }: OutputEntry): void {
  amount.files++;
  amount.bytes += length;
}
