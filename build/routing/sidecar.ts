// Sidecars: compressed copies of a page beside it, nodes.json.gz beside nodes.json, which web servers send as they are
// to clients that accept them.

/** Content codings (RFC 9110, section 8.4.1), the one that compresses better first. */
export const encodings = ["br", "gzip"] as const;

export type Encoding = (typeof encodings)[number];

/** What an encoding adds to the name of the page's file. */
export const suffixes: Readonly<Record<Encoding, string>> = { br: ".br", gzip: ".gz" };

/** Where the sidecars of a file are, if it has any. */
export const sidecarsOf = (file: string): readonly string[] => encodings.map((encoding) => file + suffixes[encoding]);

/** The file that a sidecar is a copy of; any other file itself. */
export const pageOf = (file: string): string => {
  const own = encodings.find((encoding) => file.endsWith(suffixes[encoding]));
  return own === undefined ? file : file.slice(0, -suffixes[own].length);
};

/** Whether a path is of the form of a sidecar. */
export const isSidecar = (file: string): boolean => file.endsWith(suffixes.br) || file.endsWith(suffixes.gzip);
