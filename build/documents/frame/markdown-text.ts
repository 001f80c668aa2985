// Texts of publishers within Markdown. They have no effect on what surrounds them: no HTML, no headings, no open fences.

/** `<` where HTML may start, except that of an address in angle brackets. */
const tagStart = /<(?=[a-z/!?])(?!(?:https?:|mailto:|[^\s<>]+@)[^\s<>]*>)/gi;

export const withoutHtml = (text: string): string => text.replaceAll(tagStart, "&lt;");

/** A line with texts of publishers, such as an item of a list. */
export const line = (text: string): string => withoutHtml(text.replaceAll(/\s+/g, " ").trim());

/** What is no paragraph at the start of a line: headings, quotes, items of lists, rules, fences and definitions of links. */
const blockStart = /^(?=#{1,6}(?:\s|$)|>|[-+*](?:\s|$)|(?:[-_*]\s*){3,}$|`{3}|~{3}|\[[^\]]*\]:)/;

/** A paragraph that a publisher wrote. */
export const paragraph = (text: string): string =>
  line(text)
    .replace(blockStart, "\\")
    .replace(/^(\d{1,9})(?=[.)](?:\s|$))/, "$1\\");

/** A text in brackets, which leads to an address. */
export const linkText = (text: string): string => line(text).replaceAll(/[\\[\]]/g, "\\$&");
