// The public exports: the shapes of the API's answers, as types and as zod schemas.
export type { Api } from "./api.ts";
export { collectionSchema, type EdgeCollection } from "./edge-network/collection.ts";
export { type EdgeImage, imageSchema } from "./edge-network/image.ts";
export { answerSchemas, edgeNetwork } from "./edge-network/index.ts";
export { type EdgeNode, nodeSchema } from "./edge-network/node.ts";
export { type EdgeRecord, recordSchema } from "./edge-network/record.ts";
export { type EdgeRegion, regionSchema } from "./edge-network/region.ts";
export { type EdgeStatus, statusDocument } from "./edge-network/status.ts";
export { type List, listOf, type Page, type Pagination, pageOf, pagination } from "./envelope.ts";
export { type ErrorBody, type ErrorCode, errorBody } from "./errors.ts";
export type { ListOperation, Operation } from "./operation.ts";
export { defaultLimit, maxLimit } from "./paging.ts";
export type { AnswerSchemas } from "./schemas.ts";
export type { Vocabulary } from "./vocabulary.ts";
