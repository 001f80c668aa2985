// What the deletion of one item would cost, where there is a cheaper way of paging.
import type { ListingDeletion } from "../../pages/deletion.ts";
import { integer } from "../../words.ts";

/** A sentence for each listing. */
export const deletionTexts = (deletions: readonly ListingDeletion[]): readonly string[] =>
  deletions.flatMap(({ operation, pages, changed, changedIfStable }) =>
    changedIfStable === undefined
      ? []
      : [
          `Deleting one item near the front of ${operation} changes ${integer(changed)} of its ${integer(pages)} pages. ` +
            `With paging: stable in api.yaml, it changes ${integer(changedIfStable)}.`,
        ],
  );
