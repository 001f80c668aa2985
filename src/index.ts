// The public exports: the shapes of the API's answers, as types and as zod schemas.
export { type List, listOf, type Page, type Pagination, pageOf, pagination } from "./envelope.ts";
export { type ErrorBody, type ErrorCode, errorBody } from "./errors.ts";
export { base, type ListOperation, type Operation, operations } from "./operations.ts";
export { defaultLimit, maxLimit } from "./paging.ts";
export { collectionSchema, type EdgeCollection } from "./resources/collection.ts";
export { type EdgeImage, imageSchema } from "./resources/image.ts";
export { type EdgeNode, nodeSchema } from "./resources/node.ts";
export { type EdgeRecord, recordSchema } from "./resources/record.ts";
export { type EdgeRegion, regionSchema } from "./resources/region.ts";
export { apiVersion, type EdgeStatus, statusDocument } from "./resources/status.ts";
export { type AnswerSchemas, answerSchemas } from "./schemas.ts";
export type { Vocabulary } from "./vocabulary.ts";
