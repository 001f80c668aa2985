// Who may read an API, as its publisher says it. The host or a proxy protects the files: the program only describes the
// protection, and keeps caches from giving an answer to somebody else.

/** How readers identify themselves: in `Authorization`, in a header with this name, or by a cookie with this name. */
export type AccessScheme = "basic" | "bearer" | { readonly header: string } | { readonly cookie: string };

export interface Audience {
  /** Undefined: everybody may read. */
  readonly access?: { readonly description: string; readonly scheme: AccessScheme } | undefined;
  /** The origins whose scripts may read: `any`, `none` but the API's, or one, such as `https://one.example`. */
  readonly origins: string;
}

export const everybody: Audience = { origins: "any" };

/** The header of a request by which readers identify themselves. */
export function credentialHeader(scheme: AccessScheme): string {
  if (typeof scheme === "string") return "Authorization";
  return "header" in scheme ? scheme.header : "Cookie";
}

/** Whether readers are known by a cookie. */
export const hasCookie = ({ access }: Pick<Audience, "access">): boolean =>
  access !== undefined && credentialHeader(access.scheme) === "Cookie";

/** Whether a browser sends the cookies of readers with the requests of another origin's scripts. */
export const sendsCookies = (audience: Audience): boolean =>
  !["any", "none"].includes(audience.origins) && hasCookie(audience);

/**
 * A Cache-Control for these readers: if not everybody may read, only the caches of readers may store an answer (RFC 9111,
 * section 5.2.2.7). `public, max-age=60, s-maxage=600` becomes `private, max-age=60`.
 */
export function cacheFor({ access }: Audience, cacheControl: string): string {
  if (access === undefined) return cacheControl;
  // Commas in quotes separate no directives. A quotation that does not end goes on to the end of the text.
  const directives = cacheControl.match(/(?:"(?:\\.|[^"\\])*(?:"|$)|[^,"])+/g) ?? [];
  const kept = directives
    .map((directive) => directive.trim())
    .filter((directive) => directive !== "" && !/^(?:public|private|s-maxage)\s*(?:=|$)/i.test(directive));
  return kept.some((directive) => /^no-store$/i.test(directive)) ? kept.join(", ") : ["private", ...kept].join(", ");
}
