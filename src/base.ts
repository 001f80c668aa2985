/** The prefix of every path of an API that declares no other. */
export const defaultBase = "/api/v1";
