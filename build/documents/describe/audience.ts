// Who may read the API, in words.
import { type Audience, hasCookie, sendsCookies } from "../../../src/model/audience.ts";
import type { SiteData } from "./site-data.ts";

type Described = Pick<SiteData, "api" | "settings">;

/** How readers identify themselves: `a token in the header Authorization`. Undefined if everybody may read. */
export function credentialWords({ access }: Pick<Audience, "access">): string | undefined {
  if (access === undefined) return undefined;
  const { scheme } = access;
  if (scheme === "basic") return "a name and a password (HTTP Basic)";
  if (scheme === "bearer") return "a token (`Authorization: Bearer`)";
  return "header" in scheme ? `a key in the header \`${scheme.header}\`` : `the cookie \`${scheme.cookie}\``;
}

/** The first rule of all operations. A host that only serves files may not do as `origins` says. */
export function readingRule({ api, settings }: Described): string {
  const origins = isOfOwnOrigin(settings) ? "none" : settings.origins;
  const who = credentialWords(settings);
  const from = origins === "any" || api.addressing.setsHeaders ? `, ${originWords(origins)}` : "";
  return `Everything is read with GET, ${who === undefined ? "without authentication" : `with ${who}`}${from}. Every response is JSON${who === undefined ? "" : ", but not the host's `401` to other readers"}.`;
}

/** Whether only scripts of the API's origin can read: browsers send no cookie to an origin that lets all others read. */
const isOfOwnOrigin = (audience: Audience): boolean => audience.origins === "any" && hasCookie(audience);

/** The websites whose scripts can read, if not only the API's can. */
export const websitesIn = ({ origins }: Audience): string =>
  origins === "any" ? "on any website" : `of \`${origins}\``;

function originWords(origins: string): string {
  if (origins === "any") return "from any origin";
  return origins === "none" ? "from no other origin" : `from no other origin than \`${origins}\``;
}

/** What readers have to know of access, in sentences. Empty if everybody may read. */
export const accessWords = ({ settings }: Pick<Described, "settings">): string =>
  settings.access === undefined ? "" : `Readers need ${credentialWords(settings)}. ${settings.access.description}`;

/** The scripts that can read the API, in sentences. */
export function scriptWords({ api, settings }: Described): string {
  const { origins, access } = settings;
  if (origins !== "any" && !api.addressing.setsHeaders)
    return "The host decides which websites' scripts can read the API.";
  if (isOfOwnOrigin(settings))
    return "Scripts of other websites cannot read the API: browsers send the cookie only with requests of its own origin.";
  if (origins === "none")
    return "Scripts of other websites cannot read the API: no response has `Access-Control-Allow-Origin`. Its client is for pages of its own origin.";
  const value = origins === "any" ? "*" : origins;
  const ends = [
    ...(access === undefined ? ["Cookies and keys are not used."] : []),
    ...(sendsCookies(settings) ? ['They send the cookie with `credentials: "include"`.'] : []),
  ];
  return [
    `Scripts ${websitesIn(settings)} can read the API: every response has \`Access-Control-Allow-Origin: ${value}\` and exposes its\n\`ETag\` and \`Link\`.`,
    ...ends,
  ].join(" ");
}
