/** A document of the publish root: a file that the API has beside its operations' answers. */
export interface Document {
  readonly path: string;
  readonly file: string;
  readonly contentType: string;
  readonly cacheControl: string;
  readonly parts: () => readonly Uint8Array[];
}
