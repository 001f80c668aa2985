import { expect, it } from "vitest";
import { MachineError } from "../files/machine-error.ts";
import { credentialsFor } from "./credentials.ts";

function refusal(address: string, lines: string): string {
  try {
    credentialsFor(new URL(address), lines);
    return "";
  } catch (error) {
    if (error instanceof MachineError) return `${error.message} ${error.hint}`;
    throw error;
  }
}

const site = "https://preview.example.com";

it.each([
  [site, "", undefined, {}],
  [site, " \n", undefined, {}],
  ["https://user:a%3Ab@preview.example.com", "", "address", { authorization: "Basic dXNlcjphOmI=" }],
  ["https://token@preview.example.com", "", "address", { authorization: "Basic dG9rZW46" }],
  [site, "Authorization: Bearer abc\r\nX-Id:  1 2 \n\n", "variable", { authorization: "Bearer abc", "x-id": "1 2" }],
  ["https://u:p@preview.example.com", "X-Id: 1", "address", { authorization: "Basic dTpw", "x-id": "1" }],
])("sends to %s with the variable %j, by the %s: %j", (address, lines, source, headers) => {
  expect(credentialsFor(new URL(address), lines)).toEqual({ headers, source });
});

it.each(["http://localhost:3000", "http://127.0.0.1", "http://[::1]:80"])("sends them to %s unencrypted", (address) => {
  expect(credentialsFor(new URL(address), "X-Id: 1").headers).toEqual({ "x-id": "1" });
});

it.each([
  ["http://example.com", "http://example.com is not encrypted", "Write https://example.com."],
  [
    "http://127.example.com:8080",
    "http://127.example.com:8080 is not encrypted",
    "Write https://127.example.com:8080.",
  ],
])("does not send them to %s", (address, start, hint) => {
  const rest = "and the headers of STILLAPI_HEADERS are not sent to it.";
  expect(refusal(address, "X-Id: secret")).toBe(`${start}, ${rest} ${hint}`);
  const named = address.replace("//", "//user:secret@");
  expect(refusal(named, "")).toBe(`${start}, and a name and a password are not sent to it. ${hint}`);
});

const form = "is not a header. Write Name: value, in ASCII, one a line.";

it.each([
  ["secret", `Line 1 of STILLAPI_HEADERS ${form}`],
  ["X-Id: 1\n\nsecret", `Line 3 of STILLAPI_HEADERS ${form}`],
  ["X-Id:", `Line 1 of STILLAPI_HEADERS ${form}`],
  ["X Id: secret", `Line 1 of STILLAPI_HEADERS ${form}`],
  ["X-Id: secrét", `Line 1 of STILLAPI_HEADERS ${form}`],
  ["X-Id: secret\rHost: b", `Line 1 of STILLAPI_HEADERS ${form}`],
  ["Host: secret", "Line 1 of STILLAPI_HEADERS sets Host, which the program sets. Remove it."],
  ["X-Id: 1\nx-id: secret", "Line 2 of STILLAPI_HEADERS sets x-id again. Keep one of them."],
])("refuses %j without its value", (lines, message) => {
  expect(refusal(site, lines)).toBe(message);
});

it("refuses two values of Authorization", () => {
  expect(refusal("https://u:p@example.com", "Authorization: Bearer a")).toBe(
    "The address has a name and a password, and STILLAPI_HEADERS has the header Authorization. Leave out one of them.",
  );
});
