export interface PublishOptions {
  /** The folder of the build. */
  readonly out: string;
  /** Whether a server may load a new configuration. */
  readonly reload: boolean;
  /** The commands that check and load the configuration, if not the usual ones. Variables of a workflow may be empty. */
  readonly checkCommand?: string;
  readonly reloadCommand?: string;
  /** Whether to go back to the release before. */
  readonly back: boolean;
  /** Whether another API at the target may be removed. */
  readonly replace: boolean;
}

export const outcomes = ["published", "unchanged", "back"] as const;

/** What publishing has done. */
export interface Publication {
  readonly outcome: (typeof outcomes)[number];
  /** For people, in sentences. */
  readonly notes: readonly string[];
}
