// The operation "records" as a server with application code would answer it: the items are in memory, and each request
// is parsed, checked, sliced and serialised. It is plain JavaScript, so that type-checking the project does not need
// the types of its packages.
//
// In its favour, it groups items by collection and positions by cursor when it starts, makes no ETag, and compiles its
// serialiser from a schema.
import { readFileSync } from "node:fs";
import fastify from "fastify";

const [port, file] = process.argv.slice(2);

/**
 * By collection, and under "" for all of them: the items in order, and the cursor of each position after the first.
 * @type {{ headers: Record<string, string>, cursorForm: string, listings: Record<string, { items: object[], cursors: string[] }> }}
 */
const { headers, cursorForm, listings } = JSON.parse(readFileSync(file, "utf8"));
const positions = Object.fromEntries(
  Object.entries(listings).map(([collection, { cursors }]) => [
    collection,
    new Map(cursors.map((cursor, index) => [cursor, index + 1])),
  ]),
);

const string = { type: "string" };
const integer = { type: "integer" };

const query = {
  type: "object",
  properties: {
    limit: { type: "integer", minimum: 1, maximum: 100, default: 100 },
    cursor: { type: "string", pattern: cursorForm },
    collection: { type: "string", enum: Object.keys(listings).filter((name) => name !== "") },
  },
};

const answer = {
  type: "object",
  properties: {
    object: string,
    data: {
      type: "array",
      items: {
        type: "object",
        properties: { id: string, created_at: string, collection: string, revision: integer, updated_at: string },
      },
    },
    pagination: {
      type: "object",
      properties: {
        limit: integer,
        count: integer,
        has_more: { type: "boolean" },
        next_cursor: { type: ["string", "null"] },
      },
    },
  },
};

const server = fastify();

server.get("/api/v1/records", { schema: { querystring: query, response: { 200: answer } } }, (request, reply) => {
  const { limit, cursor, collection = "" } = request.query;
  const { items, cursors } = listings[collection];
  const start = cursor === undefined ? 0 : positions[collection].get(cursor);
  reply.headers(headers);
  if (start === undefined) return reply.code(400).send({ object: "error", status: 400, code: "invalid_cursor" });
  const end = Math.min(items.length, start + limit);
  const more = end < items.length;
  const pagination = { limit, count: end - start, has_more: more, next_cursor: more ? cursors[end - 1] : null };
  return reply.send({ object: "list", data: items.slice(start, end), pagination });
});

await server.listen({ host: "127.0.0.1", port: Number(port) });
