// The public exports: the parts of a declaration, and the shapes of the API's answers.

export type { BodyOf, ErrorBody, ErrorCode, ItemOf, List, Page, Pagination } from "./answers/answers.ts";
export { errorBody, listOf, pageOf, pagination } from "./answers/schemas.ts";
export { type FileFacts, file, image } from "./declare/assets.ts";
export {
  type ApiDeclaration,
  type Collection,
  type CollectionDeclaration,
  type DocumentDeclaration,
  type DocumentOf,
  defineApi,
  defineCollection,
  defineDocument,
  type From,
  type RawContext,
  type RawItem,
  type Transform,
} from "./declare/declare.ts";
export type { Deprecation } from "./declare/deprecation.ts";
export { extend, from } from "./declare/derived.ts";
export {
  type Html,
  html,
  type PageContent,
  type PageData,
  type PageDeclaration,
  type PageItems,
} from "./declare/html.ts";
export { fromJsonSchema } from "./declare/json-schema.ts";
export { reference, type Tone, words } from "./declare/marks.ts";
export type { OutputContent } from "./declare/outputs.ts";
export type { Vocabulary } from "./declare/vocabulary.ts";
export { slugOf as slugify } from "./model/filter.ts";
export { defaultLimit, maxLimit } from "./model/paging.ts";
