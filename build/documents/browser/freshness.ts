// Ages beside times, and whether the answer from which a page was made is still the same.
import { all, announce, make, makeButton } from "./elements.ts";

const minute = 6e4;
const units: readonly (readonly [Intl.RelativeTimeFormatUnit, length: number])[] = [
  ["year", 31536e6],
  ["month", 2628e6],
  ["day", 864e5],
  ["hour", 36e5],
];
const relative = new Intl.RelativeTimeFormat("en");

export function showAges(): void {
  for (const time of all<HTMLTimeElement>("time[datetime]")) {
    const distance = Date.parse(time.dateTime) - Date.now();
    if (Number.isNaN(distance)) continue;
    const [unit, length] = units.find(([, least]) => Math.abs(distance) >= least) ?? ["minute", minute];
    if (time.nextElementSibling?.className !== "age") time.after(" ", make("span", { className: "age" }));
    time.nextElementSibling?.replaceChildren(`(${relative.format(Math.trunc(distance / length), unit)})`);
  }
}

function watch(line: HTMLElement): () => Promise<void> {
  const { watch: url = "", shown } = line.dataset;
  let last = "";
  return async () => {
    if (document.hidden) return;
    const time = `${new Date().toISOString().slice(11, 16)} UTC`;
    const answer: unknown = await fetch(url, { cache: "no-store" })
      .then((response) => (response.ok ? response.json() : undefined))
      .catch(() => undefined);
    const isSame = JSON.stringify(answer) === shown;
    const news = answer === undefined ? "The data could not be checked" : "The data on this page is out of date.";
    if (isSame) line.replaceChildren(make("a", { href: url }, url), ` is unchanged, as of ${time}.`);
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

export function keepFresh(): void {
  const tasks = [showAges, ...all("[data-watch]").map(watch)];
  const run = () => {
    for (const task of tasks) task();
  };
  run();
  setInterval(run, minute);
  document.onvisibilitychange = run;
}
