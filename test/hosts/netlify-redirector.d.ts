// The package has no types. The caller parses the contents of a match.
declare module "netlify-redirector" {
  export interface Matcher {
    match(request: {
      scheme: string;
      host: string;
      /** Decoded. */
      path: string;
      /** As sent, without the question mark. */
      query: string;
      headers: Record<string, string>;
      cookieValues: Record<string, string>;
      getHeader(name: string): string;
      getCookie(name: string): string;
    }): unknown;
  }
  /** The compiled code aborts unless both options are strings. */
  export function parseJSON(rules: string, options: { jwtSecret: string; jwtRoleClaim: string }): Promise<Matcher>;
}
