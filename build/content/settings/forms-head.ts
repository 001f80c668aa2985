// decap.yml, beside api.yaml: what the forms for people who do not write YAML have in front of their collections.
import { parseDocument } from "yaml";
import * as z from "zod";
import type { Log } from "../../messages.ts";
import type { Folder } from "../folder.ts";
import { decode } from "../formats/source.ts";
import { readOne } from "../formats/values.ts";
import { type PlaceIn, validator } from "../validate.ts";

export interface FormsHead {
  /** The text of decap.yml. Further keys may follow it. */
  readonly text: string;
  /** The content folder, from the root of the repository: `content`. */
  readonly folder: string;
  /** The folder below it that gets uploaded files: `/photos`. */
  readonly uploads: string;
}

/** Editors name files from the root of the repository, and the content from its folder, whose name is `content` here. */
const formFor = (content: string) =>
  z
    .looseObject({
      backend: z.looseObject({ name: z.string() }),
      media_folder: z.string("a path without slashes at its ends").regex(/^[^/](?:.*[^/])?$/),
      public_folder: z.string("a path such as /photos").regex(/^\/.*[^/]$/),
    })
    .refine((head) => `/${head.media_folder}`.endsWith(`/${content}${head.public_folder}`), {
      path: ["media_folder"],
      error: `the content folder and public_folder, such as ${content}/photos with /photos`,
    })
    .refine((head) => !("collections" in head), {
      path: ["collections"],
      error: "left out, because the declaration has them",
    });

/** Undefined if there is no decap.yml, or it has faults. `folderName`: see CompileOptions. */
export function readFormsHead({ files }: Folder, folderName: string, log: Log): FormsHead | undefined {
  const file = files.find(({ role }) => role.kind === "forms");
  if (file === undefined) return undefined;
  const { data, at } = readOne(file, "object with the backend of an editor", log);
  const placeIn: PlaceIn = (path, part) => at.spot(path, part);
  const [name = "content"] = /[^/.][^/]*(?=\/*$)/.exec(folderName) ?? [];
  const form = formFor(name);
  const head =
    data === undefined ? undefined : validator(form, { name: "decap.yml", noun: "key" })(data, placeIn, log.report);
  // A list is reported.
  if (head === undefined || at.path.length > 0) return undefined;
  const { text } = decode(file.read());
  const { media_folder: media, public_folder: uploads } = head;
  if (parseDocument(`${text}\ncollections: []\n`).errors.length === 0)
    return { text, folder: media.slice(0, -uploads.length), uploads };
  log.report({
    code: "syntax",
    at: placeIn([]),
    text: "No key can follow this text, so the collections cannot be added.",
    hint: "Write each key at the start of a line, without braces around all of them.",
  });
  return undefined;
}
