/** What publishing has done. */
export const outcomes = ["published", "unchanged", "back"] as const;

export type Outcome = (typeof outcomes)[number];

/** Says something, in a sentence, while a build is published. */
export type Tell = (sentence: string) => void;
