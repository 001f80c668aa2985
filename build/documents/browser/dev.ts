// The script that only dev adds to pages: after a save it loads the page anew, which keeps its place, and it shows the faults
// of a save over the page until they are repaired.
import { fieldOf } from "../../../src/model/fields.ts";
import { all, make, makeButton } from "./elements.ts";

for (const { dataset } of all<HTMLScriptElement>("script[data-events]"))
  listen(dataset["events"] ?? "", dataset["plan"]);

/** `plan` names the plan from which the page was made. */
function listen(events: string, plan: string | undefined): void {
  const text = make("pre");
  const close = makeButton("Close", () => dialog.close(), "plain");
  const dialog = make("dialog", { className: "faults", ariaLabel: "Faults" }, text, close);
  document.body.append(dialog);
  // What the server has written into the page is for readers without scripts.
  for (const notice of all("body > pre[role=alert]")) notice.remove();
  const show = ({ data }: MessageEvent<string>) => {
    const state: unknown = JSON.parse(data);
    if (fieldOf(state, "plan") !== plan) return location.reload();
    text.textContent = String(fieldOf(state, "faults"));
    if (text.textContent === "") dialog.close();
    else if (!dialog.open) dialog.showModal();
  };
  // Browsers allow six connections to a server, so a hidden page gives its own back. The first event after it is shown again
  // has what it missed.
  let source: EventSource | undefined;
  const connect = () => {
    source?.close();
    source = document.hidden ? undefined : new EventSource(events);
    source?.addEventListener("message", show);
  };
  document.addEventListener("visibilitychange", connect);
  connect();
}
