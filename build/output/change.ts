/** What became of a file. */
export interface Change {
  readonly file: string;
  readonly kind: "written" | "kept" | "removed";
  /** Size in bytes before the build, undefined where there was no such file. */
  readonly before: number | undefined;
  /** Size in bytes after it, undefined where there is none any more. */
  readonly after: number | undefined;
}
