// The public exports: what a declaration is made of, and the shapes of the API's answers.
export type { BodyOf, ErrorBody, ErrorCode, ItemOf, List, Page, Pagination } from "./answers.ts";
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
} from "./declare.ts";
export type { Deprecation } from "./deprecation.ts";
export { extend, from } from "./derived.ts";
export { errorBody } from "./errors.ts";
export { slugOf as slugify } from "./filter.ts";
export { type Html, html, type PageContent, type PageData, type PageDeclaration, type PageItems } from "./html.ts";
export { reference, words } from "./marks.ts";
export { defaultLimit, maxLimit } from "./paging.ts";
export { listOf, pageOf, pagination } from "./schemas.ts";
export { type Tone, toneOf } from "./tone.ts";
export type { Vocabulary } from "./vocabulary.ts";
