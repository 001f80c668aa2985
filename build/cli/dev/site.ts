// The site that dev serves: the files of the last valid plan, each generated on request. Pages for people start with the
// current faults.
import type { BuildPlan } from "../../build.ts";
import { bytesOf, encode } from "../../files/file.ts";
import type { Message } from "../../messages.ts";
import { mapNonEmpty } from "../../values/non-empty.ts";
import type { ServedSite } from "../preview/preview.ts";

export interface Served {
  readonly plan: BuildPlan;
  /** The faults of later saves. */
  readonly faults: readonly Message[];
}

export const siteOf = (served: () => Served): ServedSite => ({
  tables: () => mapNonEmpty(served().plan.apis, ({ table }) => table),
  has: (file) => served().plan.find(file) !== undefined,
  async read(file) {
    const { plan, faults } = served();
    const found = plan.find(file);
    const documents = plan.apis.flatMap((api) => api.documents);
    const isForPeople = documents.some(
      (document) => document.file === file && document.contentType.startsWith("text/html"),
    );
    if (found === undefined || faults.length === 0 || !isForPeople) return found && bytesOf(found);
    return withFaults(bytesOf(found).toString(), faults);
  },
});

function withFaults(html: string, faults: readonly Message[]): Uint8Array {
  const lines = faults.map(
    ({ place: { file, line, column }, code, text }) => `${file}:${line}:${column} ${code} ${text}`,
  );
  const text = lines.join("\n").replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const title = "This page shows the last valid content. The current faults:";
  return encode(html.replace(/<body[^>]*>/, (body) => `${body}<pre role="alert">${title}\n\n${text}</pre>`));
}
