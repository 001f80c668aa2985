// The pages of an API for people, apart from the reference: the option `pages`.
import * as z from "zod";
import { isHtml, type PageData, type PageDeclaration } from "../../../src/declare/html.ts";
import { languageDescription, languagePattern } from "../../../src/declare/language.ts";
import type { ApiPage } from "../../../src/model/api.ts";
import { fieldOf, isObject } from "../../../src/model/fields.ts";
import { checkName } from "../names.ts";
import { guarded } from "../program.ts";
import { callable, matching, type Options, oneLine, optionalFlag, text } from "./forms.ts";
import type { ApiGroup } from "./group.ts";

const page: Options<PageDeclaration> = z.strictObject({
  title: oneLine,
  render: callable,
  main: optionalFlag,
  style: text.optional(),
  scope: matching(/^[a-z][a-z0-9-]*$/, "a class of lowercase letters, digits and hyphens").optional(),
  language: matching(languagePattern, languageDescription).optional(),
});

export const pages = {
  form: { pages: z.union([z.literal(false), z.record(text, page)]).optional() },

  check(report, { options: { pages }, at }) {
    for (const path of Object.keys(isObject(pages) ? pages : {}))
      checkName(report, "page", path, at(["pages", path], "name"));
  },

  complete(declared, { program }) {
    const { pages } = declared;
    return {
      pages: Object.entries(pages === false ? {} : pages).map(([path, page]): ApiPage => {
        const { title, main = false, style = "", scope = "page", language } = page;
        const option = ["pages", path, "render"];
        const subject = `The page ${path} cannot be rendered`;
        const failureOf = (error: unknown) => program.failureOf(error, declared, option, subject);
        return { path, title, main, style, scope, language, render: guarded(renderOf(page), failureOf) };
      }),
      hasDataPages: pages !== false,
    };
  },
} satisfies ApiGroup;

const renderOf = (page: PageDeclaration) => (data: PageData) => {
  const result: unknown = page.render(data);
  if (result === undefined) return undefined;
  if (isHtml(result)) return { content: result };
  const content = fieldOf(result, "content");
  const description = fieldOf(result, "description");
  if (!isHtml(content)) throw new TypeError("render returned neither html`…` nor an object with it as content.");
  return { content, description: description === undefined ? undefined : String(description) };
};
