// The contents beside the reference follow the place that is read: its link is marked and in sight, and of the groups that
// the build has folded, only its own is open.
import { all } from "./elements.ts";

/** A place is read once its top is above this part of the window. */
const line = 0.3;

export function followContents(): void {
  for (const side of all("nav.side")) follow(side);
}

function follow(side: HTMLElement): void {
  const places = all<HTMLAnchorElement>('li a[href^="#"]', side).flatMap((link) => {
    const place = document.getElementById(link.hash.slice(1));
    return place === null ? [] : [{ place, link }];
  });
  const folded = all<HTMLDetailsElement>("details:not([open])", side);
  let current: HTMLAnchorElement | undefined;
  let isWaiting = false;

  function mark(): void {
    isWaiting = false;
    const link = linkOfPlace();
    if (link === current || link === undefined) return;
    current?.removeAttribute("aria-current");
    link.ariaCurrent = "location";
    const group = link.closest("details");
    if (group !== current?.closest("details")) {
      for (const other of folded) other.open = other === group;
    }
    current = link;
    showIn(side, link);
  }

  /** The link to the last place above the line; at the end of the page, to the last one in sight. */
  function linkOfPlace(): HTMLAnchorElement | undefined {
    const { scrollTop, scrollHeight } = document.documentElement;
    const isAtEnd = scrollTop > 0 && scrollTop + innerHeight >= scrollHeight - 1;
    const limit = innerHeight * (isAtEnd ? 1 : line);
    let best = places[0];
    let bestTop = Number.NEGATIVE_INFINITY;
    for (const entry of places) {
      const { top } = entry.place.getBoundingClientRect();
      if (top <= limit && top > bestTop) {
        best = entry;
        bestTop = top;
      }
    }
    return best?.link;
  }

  side.classList.add("followed");
  mark();
  document.addEventListener(
    "scroll",
    () => {
      if (!isWaiting) requestAnimationFrame(mark);
      isWaiting = true;
    },
    { passive: true },
  );
}

/** Scrolls the contents, and nothing else, if a link is out of sight. */
function showIn(side: HTMLElement, link: HTMLElement): void {
  const { top, bottom } = link.getBoundingClientRect();
  const view = side.getBoundingClientRect();
  if (top < view.top || bottom > view.bottom) side.scrollTop += top - view.top - view.height / 3;
}
