// The forms of the reference: the samples beside a form show its request, the response replaces the sample, and the address
// of the page keeps the fields.
import { sortParam } from "../../../../src/model/order.ts";
import { fileOfQuery } from "../../../routing/paths.ts";
import { all, copyButton, credentials, make, showCode } from "../../frame/browser/elements.ts";
import { requestCode } from "../../frame/code.ts";
import { exclusionOf } from "../exclusion.ts";
import { nextAddress, showResponse } from "./response.ts";

type Field = HTMLInputElement | HTMLSelectElement;

export function startConsoles(): void {
  for (const form of all<HTMLFormElement>("form.console")) {
    const section = form.closest("section");
    const place = section?.querySelector<HTMLElement>(".answer");
    if (section && place) start(form, section, place);
  }
}

/** `place` shows responses. */
function start(form: HTMLFormElement, section: HTMLElement, place: HTMLElement): void {
  const { path, preset = "", combinations = "" } = form.dataset;
  const fields = fieldsOf(form, path !== undefined);
  const filters = path === undefined ? fields.filter(({ name }) => !["limit", sortParam].includes(name)) : [];
  const sets = combinations.split(" ").map((set) => set.split(","));
  const anchor = section.querySelector("h3")?.id ?? "";
  const isShared = location.hash === `#${anchor}` && location.href.includes("?");
  const link = form.querySelector<HTMLAnchorElement>(".request a");
  let answered = "";

  /** Shows the request everywhere. */
  function show(cursor = ""): FormRequest {
    restrict(filters, sets);
    const request = requestOf(form, fields, cursor);
    const codes = requestCode(request.address, credentials);
    for (const [language, code] of Object.entries(codes)) {
      for (const element of all(`.tabs [aria-label=${language}] code`, section)) showCode(element, code);
    }
    link?.replaceChildren(request.address);
    link?.setAttribute("href", request.address);
    place.classList.toggle("stale", request.address !== answered);
    return request;
  }

  function change(): void {
    const { query } = show();
    if (fields.length > 0) history.replaceState(null, "", `${location.pathname}?${query}#${anchor}`);
  }

  function send(cursor?: string): void {
    answered = show(cursor).address;
    place.classList.remove("stale");
    showResponse(place, answered, turn);
  }

  /** Requests the page after the response. The form may hold another request by now, and keeps it. */
  function turn(cursor: string): void {
    if (place.classList.contains("stale")) {
      answered = nextAddress(answered, cursor);
      showResponse(place, answered, turn);
    } else {
      send(cursor);
    }
  }

  form.hidden = false;
  form.oninput = change;
  // The fields are reset after the event.
  form.onreset = () => setTimeout(change);
  form.onsubmit = (event) => {
    event.preventDefault();
    send();
  };
  link?.after(...copyButton(() => link.href));
  if (isShared || preset !== "") fill(fields, isShared ? location.search : preset);
  if (isShared) send();
  else answered = show().address;
  place.classList.remove("stale");
}

interface FormRequest {
  readonly address: string;
  /** Fills the form alike. */
  readonly query: string;
}

/** The request for the values of the fields. */
function requestOf(form: HTMLFormElement, fields: readonly Field[], cursor: string): FormRequest {
  const { path, files } = form.dataset;
  const params = new URLSearchParams();
  for (const { name, value, disabled } of fields) if (value !== "" && !disabled) params.append(name, value);
  const query = String(params);
  if (cursor !== "") params.append("cursor", cursor);
  if (path !== undefined) {
    const partOf = (name: string) => encodeURIComponent(params.get(name) ?? "");
    return { address: path.replaceAll(/\{(.*?)\}/g, (_, name) => partOf(name)), query };
  }
  if (files !== undefined) return { address: `/${fileOfQuery(files, params)}`, query };
  return { address: [form.getAttribute("action"), String(params)].filter(Boolean).join("?"), query };
}

/** The fields, all enabled and optional, except for those of a key. */
function fieldsOf(form: HTMLFormElement, isKey: boolean): readonly Field[] {
  const fields = all<Field>("input, select", form);
  for (const field of fields) {
    field.disabled = false;
    field.required = isKey;
    for (const option of all<HTMLOptionElement>("option", field)) option.disabled = false;
  }
  return fields;
}

function fill(fields: readonly Field[], query: string): void {
  const params = new URLSearchParams(query);
  for (const field of fields) {
    field.value = params.get(field.name) ?? "";
    // A choice without the value shows nothing.
    if (field instanceof HTMLSelectElement && field.selectedIndex < 0) field.value = "";
  }
}

/** Disables the filters that cannot be sent with the chosen ones, and says why. `sets` are the filters that can. */
function restrict(filters: readonly Field[], sets: readonly (readonly string[])[]): void {
  const chosen = filters.filter(({ value }) => value !== "").map(({ name }) => name);
  for (const field of filters) {
    const { name, value, labels } = field;
    const others = chosen.filter((other) => other !== name);
    const reason = value === "" ? exclusionOf(name, others, sets) : undefined;
    field.disabled = reason !== undefined;
    labels?.[0]?.querySelector("small")?.remove();
    if (reason !== undefined) labels?.[0]?.append(make("small", {}, reason));
  }
}
