import { sha256 } from "../files/sha256.ts";

/**
 * The start of every name that a configuration defines: several APIs may share a server, and similar bases, such as
 * `/api/v1` and `/api-v1`, must not share a name. Short, because nginx's hash of variables has little room.
 */
export const apiName = (base: string): string => `stillapi_${sha256(base).slice(0, 6)}`;
