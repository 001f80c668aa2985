// The options of an API itself: `base`, `title`, `description` and `deprecated`.
import { defaultBase } from "../../../src/answers/answers.ts";
import { isRefusedName } from "../../files/refused-names.ts";
import { deprecatedOption } from "./deprecated.ts";
import { matching, oneLine, text } from "./forms.ts";
import type { ApiGroup } from "./group.ts";

export const api = {
  form: {
    base: matching(
      // No part is the name of a file that is written beside the API.
      /^(?:\/(?![^/]*\.(?:json|html)(?:\/|$))[a-z0-9][a-z0-9.-]*)+$/,
      "a path such as /api/v1: slashes, each before lowercase letters, digits, dots and hyphens, none of which end in .json or .html",
    ).optional(),
    title: oneLine.optional(),
    description: text.optional(),
    deprecated: deprecatedOption,
  },

  /** Reports a base that needs the place of a file at the publish root: of every build, or one that a host reads. */
  check(report, { base, at }) {
    const [first = "", ...others] = base.slice(1).split("/");
    const file = `${first}.json`;
    const isFile = others.length === 0 && (file === "routing.json" || isRefusedName(file));
    if (!isFile && first !== "llms.txt") return;
    const message = `The base ${base} is reserved, because ${isFile ? file : first} is another file of a build.`;
    report("invalid-name", at(["base"]), message, "Give the API another base.");
  },

  complete({ base = defaultBase, title, description, deprecated }) {
    return { base, title, description, ...(deprecated && { deprecated }) };
  },
} satisfies ApiGroup;

/** The base of an API with unchecked options. A base of another type is reported with the options. */
export const baseOf = ({ base }: { readonly base?: unknown }): string =>
  typeof base === "string" ? base : defaultBase;
