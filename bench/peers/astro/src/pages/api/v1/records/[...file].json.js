// Astro's endpoint, which Astro calls once for each page.
import { getCollection } from "astro:content";
import { pagesOf, textOf } from "../../../../../../pages.js";

export async function getStaticPaths() {
  // Astro guarantees no order, but keeps the loader's.
  const records = (await getCollection("records")).map(({ data }) => data);
  return pagesOf(records, Number(process.env.PAGE_SIZE)).map((page) => ({ params: { file: page.file }, props: page }));
}

export const GET = ({ props }) => new Response(textOf(props));
