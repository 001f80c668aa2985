// Adds the elements of the pages that need a script. Every page is complete without them.

const all = (selector, root = document) => [...root.querySelectorAll(selector)];

function make(name, properties, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

const makeButton = (textContent, onclick, className = "") =>
  make("button", { type: "button", textContent, onclick, className });

const announcement = make("p", { className: "skip", role: "status" });
const announce = (text) => announcement.replaceChildren(text);

document.documentElement.classList.add("scripted");
document.body.append(announcement);

// Copies blocks of code. Browsers have no clipboard for pages without TLS.
function addCopyButton(pre) {
  const code = pre.querySelector("code");
  if (!navigator.clipboard || !code) return;
  const button = makeButton("Copy", copy, "small");
  async function copy() {
    const copying = navigator.clipboard.writeText(code.textContent);
    button.textContent = await copying.then(
      () => "Copied",
      () => "Not copied",
    );
    announce(button.textContent);
    setTimeout(() => {
      button.textContent = "Copy";
      announce("");
    }, 2000);
  }
  pre.prepend(button);
}

all("pre").map(addCopyButton);

// Replaces the address of the host in samples.
if (location.protocol.startsWith("http")) {
  for (const each of all("code var")) each.textContent = location.origin;
  for (const each of all(".hostless")) each.remove();
}

// Chooses a language in all sections.
function choose(language) {
  for (const label of all(".tabs label")) if (label.textContent === language) label.control.checked = true;
}

// Browsers may refuse storage.
function stored(access) {
  try {
    return access(localStorage);
  } catch {
    return undefined;
  }
}

choose(stored((storage) => storage.getItem("stillapi.language")));
for (const input of all(".tabs input")) {
  input.onchange = () => {
    const language = input.labels[0].textContent;
    choose(language);
    stored((storage) => storage.setItem("stillapi.language", language));
  };
}

// Shows a response below an element.
async function send(url, after) {
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
    line.replaceChildren(make("span", { className: response.ok ? "ok" : "bad" }, status), ` ${facts} `, link);
    const rows = ["Cache-Control", "ETag", "Content-Type"].map((name) =>
      make("div", {}, make("dt", {}, name), make("dd", {}, headers.get(name) ?? "–")),
    );
    const pre = make("pre", { tabIndex: 0, role: "group", ariaLabel: "Response" }, make("code", {}, pretty(text)));
    addCopyButton(pre);
    result.append(make("dl", { className: "facts" }, ...rows), pre);
    announce(`Status ${status}, ${facts}`);
  } catch {
    line.replaceChildren("No response: the server cannot be reached. ", link);
    announce(line.textContent);
  }
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

for (const form of all("form.try")) {
  form.onsubmit = (event) => {
    event.preventDefault();
    const query = new URLSearchParams(new FormData(form));
    send(`${form.getAttribute("action")}?${query}`, form);
  };
}
for (const link of all(".try > a")) {
  link.after(
    " ",
    makeButton("Show here", () => send(link.getAttribute("href"), link.parentElement)),
  );
}

// Filters the contents, and the fields and errors that they do not list.
function addFilter(nav) {
  const links = all(".fields [id], .stack [id]").map((each) => {
    const section = each.closest("section").querySelector("h2, h3").textContent;
    const name = each.querySelector("code").textContent;
    return make("a", { href: `#${each.id}` }, name, " ", make("span", { className: "type" }, section));
  });
  const places = all("li a", nav).concat(links);
  const found = make("ul", { className: "found" });
  const input = make("input", { type: "search", className: "filter", placeholder: "Filter (/)" });
  input.ariaLabel = "Filter operations, fields and errors";
  input.oninput = () => {
    const text = input.value.trim().toLowerCase();
    const matches = text === "" ? [] : places.filter((each) => each.textContent.toLowerCase().includes(text));
    nav.classList.toggle("filtered", text !== "");
    found.replaceChildren(...matches.slice(0, 50).map((each) => make("li", {}, each.cloneNode(true))));
    announce(text === "" ? "" : `${matches.length} found`);
  };
  input.onkeydown = ({ key }) => {
    if (key === "Enter") found.querySelector("a")?.click();
    if (key !== "Escape") return;
    input.value = "";
    input.oninput();
    input.blur();
  };
  nav.querySelector(".list-title").before(input, found);
}

all(".side, .folded nav").map(addFilter);

document.onkeydown = (event) => {
  const isTyped = event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea");
  if (event.key !== "/" || isTyped) return;
  for (const input of all(".filter")) {
    event.preventDefault();
    input.closest("details")?.setAttribute("open", "");
    // Of the two, only the one that is shown takes the focus.
    input.focus();
  }
};

for (const folded of all(".folded")) {
  folded.onclick = ({ target }) => {
    if (target.closest("a")) folded.open = false;
  };
}

// Shows ages beside times.
const units = [
  ["year", 31536e6],
  ["month", 2628e6],
  ["day", 864e5],
  ["hour", 36e5],
  ["minute", 6e4],
];
const relative = new Intl.RelativeTimeFormat("en");

function showAges() {
  for (const time of all("time[datetime]")) {
    const distance = Date.parse(time.dateTime) - Date.now();
    if (Number.isNaN(distance)) continue;
    const [unit, length] = units.find(([, least]) => Math.abs(distance) >= least) ?? units.at(-1);
    if (time.nextElementSibling?.className !== "age") time.after(" ", make("span", { className: "age" }));
    time.nextElementSibling.textContent = `(${relative.format(Math.trunc(distance / length), unit)})`;
  }
}

// Asks whether the answer from which a page was made is still the same.
function watch(line) {
  const { watch: url, shown } = line.dataset;
  let last = "";
  return async () => {
    if (document.hidden) return;
    const time = `${new Date().toISOString().slice(11, 16)} UTC`;
    const answer = await fetch(url, { cache: "no-store" })
      .then((response) => (response.ok ? response.json() : undefined))
      .catch(() => undefined);
    const isSame = JSON.stringify(answer) === shown;
    const news = answer === undefined ? "The data could not be checked" : "The data on this page is out of date.";
    if (isSame) line.replaceChildren(`Checked at ${time}: this page is up to date.`);
    else if (answer === undefined) line.replaceChildren(`${news} at ${time}. It may be out of date.`);
    else
      line.replaceChildren(
        `${news} `,
        makeButton("Reload", () => location.reload(), "small"),
      );
    if (news !== last && !isSame) announce(news);
    last = isSame ? "" : news;
  };
}

const tasks = [showAges, ...all("[data-watch]").map(watch)];
const run = () => tasks.map((task) => task());
run();
setInterval(run, 60_000);
document.onvisibilitychange = run;
