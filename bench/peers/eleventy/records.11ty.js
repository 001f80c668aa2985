// Eleventy's template, which is rendered once for each page.
import { readFileSync } from "node:fs";
import { pagesOf, textOf } from "../pages.js";

const { RECORDS, PAGE_SIZE } = process.env;

export const data = {
  pages: pagesOf(JSON.parse(readFileSync(RECORDS, "utf8")), Number(PAGE_SIZE)),
  pagination: { data: "pages", size: 1, alias: "listing" },
  permalink: ({ listing }) => `api/v1/records/${listing.file}.json`,
};

export const render = ({ listing }) => textOf(listing);
