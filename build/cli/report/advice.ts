// Sentences about the consequences of a build, for the reports of build and diff.
import type { Reload } from "../../hosts/configuration.ts";
import type { ListingDeletion } from "../../pages/deletion.ts";
import { integer } from "../../words.ts";

/** The cost of the deletion of one item: a sentence for each listing for which stable paging is cheaper. */
export const deletionTexts = (deletions: readonly ListingDeletion[]): readonly string[] =>
  deletions.flatMap(({ operation, pages, changed, changedIfStable }) =>
    changedIfStable === undefined
      ? []
      : [
          `Deleting one item near the front of ${operation} changes ${integer(changed)} of its ${integer(pages)} pages. ` +
            `With paging: stable in api.yaml, it changes ${integer(changedIfStable)}.`,
        ],
  );

/** A sentence for each host that has to load another configuration. */
export const reloadTexts = (reloads: readonly Reload[]): readonly string[] =>
  reloads.map(
    ({ host, files }) =>
      `${host} needs another configuration with these files: publish and load ${files.join(", ")}, or some requests fail.`,
  );
