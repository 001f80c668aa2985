// The package has no types. What a match holds is parsed where it is used.
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
  /** Both options must be strings, else the compiled code aborts. */
  export function parseJSON(rules: string, options: { jwtSecret: string; jwtRoleClaim: string }): Promise<Matcher>;
}
