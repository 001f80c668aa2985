// What documents say of collections, documents, filters and fields that will go.
import type { Deprecation } from "../../src/deprecation.ts";
import { type Html, html, prose } from "./html.ts";

/** In sentences, with code between backticks; empty if it stays. `nameOf` returns what readers know what to use by. */
export function noticeText(
  deprecated: Deprecation | undefined,
  nameOf: (use: string) => string = (use) => use,
): string {
  if (deprecated === undefined) return "";
  const { since, sunset, use, why } = deprecated;
  return [
    `Deprecated as of ${since}${sunset === undefined ? "" : `; may be gone from ${sunset} on`}.`,
    ...(use === undefined ? [] : [`Use \`${nameOf(use)}\` instead.`]),
    ...(why === undefined ? [] : [why]),
  ].join(" ");
}

/** A word beside the name of what will go. */
export const deprecationMark = (deprecated: Deprecation | undefined): Html | undefined =>
  deprecated && html` <span class="bad">deprecated</span>`;

/** The notice as an element of its own, with a link to what to use instead. */
export const noticeHtml = (
  text: string,
  element: "p" | "dd",
  linkOf?: (code: string) => string | undefined,
): Html | undefined => (text === "" ? undefined : html`<${element}>${prose(text, linkOf)}</${element}>\n`);
