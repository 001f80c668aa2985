// What a consumer of the API may import: the shapes of its answers, as types and as zod schemas.
export { type List, listOf, type Page, type Pagination, pageOf, pagination } from "./envelope.ts";
export { type ApiError, apiError, type ErrorCode } from "./errors.ts";
export { base, type ListOperation, type Operation, operations } from "./operations.ts";
export { defaultLimit, maxLimit } from "./paging.ts";
export { type Collection, collectionSchema } from "./resources/collection.ts";
export { type Image, imageSchema } from "./resources/image.ts";
export { type EdgeNode, nodeSchema } from "./resources/node.ts";
export { type EdgeRecord, recordSchema } from "./resources/record.ts";
export { type Region, regionSchema } from "./resources/region.ts";
export { apiVersion, type StatusDocument, statusDocument } from "./resources/status.ts";
export { type AnswerSchemas, answerSchemas } from "./schemas.ts";
export type { Vocabulary } from "./vocabulary.ts";
