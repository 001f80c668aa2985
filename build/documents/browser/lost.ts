// The page for what does not exist: the address that was asked for, and the places that resemble it.
import { all, make } from "./elements.ts";
import { type FoundPlace, linkTo, loadPlaces, placesNear } from "./find.ts";
import { plainOf } from "./matches.ts";

const maxShown = 3;

export async function showNearest(): Promise<void> {
  for (const asked of all(".asked")) {
    asked.replaceChildren(make("code", {}, location.pathname));
    const nearest = await nearestPlaces();
    const links = nearest.map((place) => linkTo({ ...place, kind: place.note === place.title ? "" : place.title }));
    const shown = links.length > 0 ? make("ul", {}, ...links) : make("p", {}, "Nothing resembles it.");
    for (const place of all(".nearest")) place.append(shown);
  }
}

/** The places for most of the words, then those for each of them. None if the index cannot be loaded. */
async function nearestPlaces(): Promise<readonly FoundPlace[]> {
  const places = await loadPlaces().catch(() => []);
  const words = wordsOf(location.pathname);
  const near = [words, ...words.map((word) => [word])].flatMap((some) => placesNear(places, some));
  return [...new Map(near.map((place) => [place.href, place])).values()].slice(0, maxShown);
}

/** The words of a path, without the folder of the reference and those that many pages share. Numbers are those of pages. */
function wordsOf(path: string): readonly string[] {
  const { pathname: folder } = new URL(".", import.meta.url);
  const below = path.startsWith(folder) ? path.slice(folder.length) : path;
  const page = below.replace(/^(?:data|collections)\/|\.\w+$/g, "");
  return plainOf(decoded(page))
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => /\p{L}/u.test(word));
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // A percent sign that encodes nothing.
    return path;
  }
}
