/** Names this program in what it writes, so that it knows its own files. */
export const generator = "edge-api";
