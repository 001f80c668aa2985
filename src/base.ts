/** Every path of the API starts with it (seed, "Versioning"). */
export const base = "/api/v1";
