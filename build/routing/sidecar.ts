// Sidecars: compressed copies beside a page (nodes.json.gz beside nodes.json) that web servers send to clients that
// accept the encoding.

/** Content codings (RFC 9110, section 8.4.1). The better compression comes first. */
export const encodings = ["br", "gzip"] as const;

export type Encoding = (typeof encodings)[number];

/** The suffix that an encoding adds to the name of a page's file. */
export const suffixes: Readonly<Record<Encoding, string>> = { br: ".br", gzip: ".gz" };

/** The paths of a file's sidecars, whether or not they exist. */
export const sidecarsOf = (file: string): readonly string[] => encodings.map((encoding) => file + suffixes[encoding]);

/** The page of a sidecar's path. A path that is no sidecar is returned as it is. */
export const pageOfSidecar = (file: string): string => {
  const encoding = encodings.find((each) => file.endsWith(suffixes[each]));
  return encoding === undefined ? file : file.slice(0, -suffixes[encoding].length);
};

/** Whether a path has the form of a sidecar. */
export const isSidecar = (file: string): boolean => file.endsWith(suffixes.br) || file.endsWith(suffixes.gzip);
