// The page for what does not exist: names the address, and leads on if only a slash at its end is too many or missing.
import { all, make } from "./elements.ts";

export async function showAsked(): Promise<void> {
  const places = all(".asked");
  if (places.length === 0) return;
  const { pathname, search, hash } = location;
  for (const asked of places) asked.replaceChildren(make("code", {}, pathname));
  const other = pathname.endsWith("/") ? pathname.slice(0, -1) : `${pathname}/`;
  if (other === "") return;
  const answer = await fetch(other, { method: "HEAD" }).catch(() => undefined);
  if (answer?.ok) location.replace(`${other}${search}${hash}`);
}
