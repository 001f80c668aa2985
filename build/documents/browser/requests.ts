// Shows the responses to the forms of the reference in place.
import { addCopyButton } from "./copy.ts";
import { all, announce, make, makeButton } from "./elements.ts";

async function send(url: string, after: Element): Promise<void> {
  const line = make("p", { className: "caption" }, "Waiting for the response…");
  const result = make("div", { className: "result" }, line);
  if (after.nextElementSibling?.className === "result") after.nextElementSibling.remove();
  after.after(result);
  const link = make("a", { href: url }, url.replace(location.origin, ""));
  const start = performance.now();
  try {
    const response = await fetch(url, { cache: "no-store" });
    const text = await response.text();
    const facts = `${Math.round(performance.now() - start)} ms, ${new Blob([text]).size.toLocaleString("en")} bytes`;
    const { status, headers } = response;
    line.replaceChildren(make("span", { className: response.ok ? "ok" : "bad" }, String(status)), ` ${facts} `, link);
    const rows = ["Cache-Control", "ETag", "Content-Type"].map((name) =>
      make("div", {}, make("dt", {}, name), make("dd", {}, headers.get(name) ?? "–")),
    );
    const pre = make("pre", { tabIndex: 0, role: "group", ariaLabel: "Response" }, make("code", {}, pretty(text)));
    addCopyButton(pre);
    result.append(make("dl", { className: "facts" }, ...rows), pre);
    announce(`Status ${status}, ${facts}`);
  } catch {
    line.replaceChildren("No response: the server cannot be reached. ", link);
    announce(line.textContent ?? "");
  }
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

export function answerInPlace(): void {
  for (const form of all<HTMLFormElement>("form.try")) {
    form.onsubmit = (event) => {
      event.preventDefault();
      const query = new URLSearchParams();
      for (const [name, value] of new FormData(form)) query.append(name, String(value));
      send(`${form.getAttribute("action")}?${query}`, form);
    };
  }
  for (const link of all<HTMLAnchorElement>(".try > a")) {
    link.after(
      " ",
      makeButton("Show here", () => send(link.getAttribute("href") ?? "", link.parentElement ?? link)),
    );
  }
}
