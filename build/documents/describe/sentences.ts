// Words that several documents share.
import type { Deprecation } from "../../../src/declare/deprecation.ts";
import type { Api } from "../../../src/model/api.ts";
import type { Operation } from "../../../src/model/operation.ts";
import type { OrderField } from "../../../src/model/order.ts";
import type { Settings } from "../../content/settings/chosen-settings.ts";
import { type Addressed, requestPath } from "./addresses.ts";

export const titleOf = ({ settings }: { readonly settings: Pick<Settings, "title"> }): string =>
  settings.title ?? "API";

/** The title of an operation's resource: `Node`, or `Entry (blog)` if another operation has the same noun. */
export function titleOfResource(
  { operations }: { readonly operations: readonly Operation[] },
  operation: Operation,
): string {
  const title = ownTitle(operation);
  const isShared = operations.some((other) => other.name !== operation.name && ownTitle(other) === title);
  return isShared ? `${title} (${operation.name})` : title;
}

const ownTitle = (operation: Operation): string =>
  upperFirst(operation.kind === "list" ? operation.noun : operation.name.replaceAll("_", " "));

/** `Media types` for `media-types`. */
export const titleOfTable = (name: string): string => upperFirst(name.replaceAll(/[-_]/g, " "));

export const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The version of the API: the last part of its base if that is one. */
export const versionOf = (api: Pick<Api, "base">): string =>
  hasVersion(api) ? (api.base.split("/").at(-1) ?? "") : "1";

/** Whether the version is part of every path. */
export const hasVersion = ({ base }: Pick<Api, "base">): boolean => /\/v?\d[^/]*$/.test(base);

/** A sentence about the lifetime of a cursor. */
export const cursorPromise = ({ cursorLifetime }: Pick<Settings, "cursorLifetime">): string =>
  cursorLifetime === 0
    ? "A cursor stops working when the items around it change."
    : `A cursor keeps working for at least ${durationOf(cursorLifetime)} after the page it leads to has changed.`;

/** The fields by which a list is sorted. */
export const orderWords = (order: readonly OrderField[]): string =>
  order
    .map(({ field, descending, fold, natural }) => {
      const rules = [fold && "ignoring case and accents", natural && "numbers by value"].filter(Boolean);
      return `\`${field}\`${rules.length === 0 ? "" : ` (${rules.join(", ")})`}${descending ? " descending" : ""}`;
    })
    .join(", then ");

/** What consumers have to know of a host that only serves files. */
export const onlyFiles =
  "The host only serves files: every request is the path of a file, and everything else is answered with `404`. The host decides how long responses may be cached.";

/** The time in the largest unit that yields an integer: `15 minutes`. */
export function durationOf(seconds: number): string {
  const units = [
    ["day", 86_400],
    ["hour", 3600],
    ["minute", 60],
  ] as const;
  const [unit, length] = units.find(([, size]) => seconds % size === 0) ?? ["second", 1];
  return `${seconds / length} ${unit}${seconds === length ? "" : "s"}`;
}

/** How long an answer is cached, from its `Cache-Control` (RFC 9111); empty if the header does not say it. */
export function cacheWords(cacheControl: string): string {
  const directives = cacheControl.toLowerCase().matchAll(/([a-z][a-z-]*)(?:=(?:"([^"]*)"|([\w-]+)))?/g);
  const values = new Map(Array.from(directives, ([, name = "", quoted, plain = ""]) => [name, quoted ?? plain]));
  if (values.has("no-store")) return "never cached";
  const inBrowsers = values.has("no-cache") ? 0 : secondsOf(values.get("max-age"));
  const inShared = values.has("no-cache") ? 0 : (secondsOf(values.get("s-maxage")) ?? inBrowsers);
  if (inShared === undefined) return "";
  if (inBrowsers === inShared) return cachedFor(inShared);
  const shared = `${cachedFor(inShared)} by shared caches`;
  return inBrowsers === undefined ? shared : `${cachedFor(inBrowsers)}, ${shared}`;
}

const secondsOf = (text = ""): number | undefined => (/^\d+$/.test(text) ? Number(text) : undefined);

const cachedFor = (seconds: number): string =>
  seconds === 0 ? "checked before each use" : `cached for up to ${durationOf(seconds)}`;

/** The deprecation of an operation, in sentences; empty if it is not deprecated. */
export const noticeOf = (api: Addressed, { deprecated }: Operation): string =>
  noticeText(deprecated, (name) => requestPath(api, { name }));

/** The deprecation of an API, in sentences; empty if it is not deprecated. */
export const noticeOfApi = ({ deprecated }: Pick<Api, "deprecated">): string =>
  deprecated === undefined ? "" : `This API is ${noticeText(deprecated).replace(/^D/, "d")}`;

/** A deprecation in sentences; empty if there is none. `nameOf` returns the name under which readers know the replacement. */
export function noticeText(
  deprecated: Deprecation | undefined,
  nameOf: (use: string) => string = (use) => use,
): string {
  if (deprecated === undefined) return "";
  const { since, sunset, use, why } = deprecated;
  const when = `Deprecated as of ${since}${sunset === undefined ? "" : `; may be gone from ${sunset} on`}.`;
  return [when, use && `Use \`${nameOf(use)}\` instead.`, why].filter(Boolean).join(" ");
}
