// The addresses of documents that answers name.

/** The request path of the values of a list's filters. */
export const filtersPath = (base: string, operation: string): string => `${base}/filters/${operation}.json`;
