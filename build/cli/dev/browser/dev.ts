// The script that only dev adds to pages: after a save it loads the page anew, which keeps its place, and it shows the faults
// of a save over the page until they are repaired.
import { fieldOf } from "../../../../src/model/fields.ts";
import { all, make, makeButton } from "../../../documents/frame/browser/elements.ts";

for (const { dataset } of all<HTMLScriptElement>("script[data-events]"))
  listen(dataset["events"] ?? "", dataset["plan"]);

/** `plan` names the plan from which the page was made. */
function listen(events: string, plan: string | undefined): void {
  const title = make("h2");
  const text = make("pre", { tabIndex: 0 });
  const close = makeButton("Close", () => dialog.close(), "plain");
  const end = make("p", {}, close, " This goes when a save repairs it.");
  const dialog = make("dialog", { className: "faults", ariaLabel: "Faults" }, title, text, end);
  document.body.append(dialog);
  // What the server has written into the page is for readers without scripts.
  for (const notice of all("body > pre[role=alert]")) notice.remove();
  const show = ({ data }: MessageEvent<string>) => {
    const state: unknown = JSON.parse(data);
    if (fieldOf(state, "plan") !== plan) return location.reload();
    const faults = fieldOf(state, "faults");
    if (faults === undefined) return dialog.close();
    title.textContent = String(fieldOf(faults, "title"));
    text.replaceChildren(...inColours(String(fieldOf(faults, "text"))));
    if (!dialog.open) dialog.showModal();
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

/** The classes of the colours that the terminal's codes start. */
const colours = new Map([
  ["1", "bold"],
  ["2", "dim"],
  ["31", "red"],
  ["33", "yellow"],
  ["36", "cyan"],
]);

/** A text with codes of a terminal, each of which holds up to the next one. */
const inColours = (text: string): readonly Node[] =>
  text.split("\u001b[").map((part, index) => {
    const [, code = "", rest = part] = (index > 0 && /^(\d+)m(.*)$/s.exec(part)) || [];
    return make("span", { className: colours.get(code) ?? "" }, rest);
  });
