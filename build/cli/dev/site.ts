// The site that dev serves: the files of the last valid plan, each generated on request. Pages for people start with the
// current faults.

import { bytesOf, encode } from "../../files/file.ts";
import type { BuildPlan } from "../../plan/plan.ts";
import { mapNonEmpty } from "../../values/non-empty.ts";
import type { ServedSite } from "../preview/preview.ts";
import { type Live, liveScript, type PageState } from "./live.ts";

export interface Served {
  readonly plan: BuildPlan;
  readonly state: PageState;
}

export const siteOf = (served: () => Served, live: Live): ServedSite => ({
  answer: live.answer,
  tables: () => mapNonEmpty(served().plan.apis, ({ table }) => table),
  has: (file) => served().plan.files.find(file) !== undefined,
  async read(file) {
    const { plan, state } = served();
    const found = plan.files.find(file);
    const documents = plan.apis.flatMap((api) => api.documents);
    const isForPeople = documents.some(
      (document) => document.file === file && document.contentType.startsWith("text/html"),
    );
    if (found === undefined || !isForPeople) return found && bytesOf(found);
    return encode(pageOf(bytesOf(found).toString(), state));
  },
});

/** A page with the script of dev, and with the faults for readers without scripts. */
function pageOf(html: string, state: PageState): string {
  const page = html.replace("</head>", () => `${liveScript(state)}</head>`);
  if (state.faults === "") return page;
  const text = state.faults.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const title = "This page shows the last valid content. The current faults:";
  return page.replace(/<body[^>]*>/, (body) => `${body}<pre role="alert">${title}\n\n${text}</pre>`);
}
