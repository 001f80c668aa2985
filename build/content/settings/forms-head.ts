// decap.yml, beside api.yaml: what the forms for people who do not write YAML have beside their collections.
import * as z from "zod";
import type { Log } from "../../messages.ts";
import type { Folder } from "../folder.ts";
import { decode } from "../formats/source.ts";
import { readOne } from "../formats/values.ts";
import { validator } from "../validate.ts";

/** Editors name files from the root of the repository, and the content from its folder, whose name is `content` here. */
const formFor = (content: string) =>
  z
    .looseObject({
      backend: z.looseObject({ name: z.string() }),
      media_folder: z.string(),
      public_folder: z.string("a path such as /photos").regex(/^\/.*[^/]$/),
      collections: z.undefined("left out, because the declaration has them").optional(),
    })
    .refine(
      ({ media_folder: at, public_folder }) => /^[^/]/.test(at) && `/${at}`.endsWith(`/${content}${public_folder}`),
      {
        path: ["media_folder"],
        error: `the content folder and public_folder, such as ${content}/photos with /photos`,
      },
    );

export type FormsHead = Readonly<Record<"text" | "media_folder" | "public_folder", string>>;

/** Undefined if there is no decap.yml, or it has faults. `folderName`: see CompileOptions. */
export function readFormsHead({ files }: Folder, folderName: string, log: Log): FormsHead | undefined {
  const file = files.find(({ role }) => role.kind === "forms");
  if (file === undefined) return undefined;
  const { data, at } = readOne(file, "object with the backend of an editor", log);
  // A list is reported.
  if (data === undefined || at.path.length > 0) return undefined;
  const [name = "content"] = /[^/.][^/]*(?=\/*$)/.exec(folderName) ?? [];
  const check = validator(formFor(name), { name: "decap.yml", noun: "key" });
  const head = check(data, (path, part) => at.spot(path, part), log.report);
  return head && { ...head, text: decode(file.read()).text };
}
