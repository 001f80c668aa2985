// The public exports: what a declaration is made of, and the shapes of the API's answers.
export {
  type ApiDeclaration,
  type BodyOf,
  type Collection,
  type CollectionDeclaration,
  type DocumentDeclaration,
  type DocumentOf,
  defineApi,
  defineCollection,
  defineDocument,
  type ItemOf,
} from "./declare.ts";
export { type List, listOf, type Page, type Pagination, pageOf, pagination } from "./envelope.ts";
export { type ErrorBody, type ErrorCode, errorBody } from "./errors.ts";
export { reference, words } from "./marks.ts";
export { defaultLimit, maxLimit } from "./paging.ts";
export { type AnswerSchemas, answerSchemas } from "./schemas.ts";
export type { Vocabulary } from "./vocabulary.ts";
