// The rooms of the program and what each may import. `npm run lint` checks it: a room without a line here may neither
// import nor be imported, so a new one needs its line.

/** The content of an API, as rooms that do not read it see it. */
const catalog = ["catalog.ts", "settings/chosen-settings.ts", "table/items.ts"].map((file) => `build/content/${file}`);

/** What the documents of an API are made of, and rooms of documents/ below the one that imports them. */
const forDocuments = (...rooms) => [
  "src",
  ...catalog,
  ...["pages", "routing/errors.ts", "routing/notices.ts", "routing/paths.ts"].map((room) => `build/${room}`),
  ...rooms.map((room) => `build/documents/${room}`),
];

/** Each may import itself, the rooms for everyone, the files directly in build/, npm packages, and what its line names. */
const rooms = {
  "build/budget": [
    "src",
    ...catalog,
    "build/history/retired.ts",
    "build/hosts",
    "build/pages",
    "build/plan/api.ts",
    "build/routing",
  ],
  "build/cli": ["src", "build"],
  "build/content": [
    "src",
    "build/declaration/complete-schema.ts",
    "build/explain",
    "build/hosts/names.ts",
    "build/routing/table.ts",
  ],
  "build/declaration": ["src", "build/explain"],
  "build/diff": [
    "src",
    ...[
      "budget",
      "content",
      "declaration",
      "documents",
      "history",
      "hosts",
      "pages",
      "plan",
      "published",
      "routing",
    ].map((room) => `build/${room}`),
  ],
  "build/documents/describe": forDocuments(),
  "build/documents/programs": forDocuments("describe"),
  "build/documents/frame": forDocuments("describe"),
  "build/documents/reference": forDocuments("describe", "programs", "frame"),
  "build/documents/tables": forDocuments("describe", "programs", "frame"),
  "build/documents/changes": forDocuments("describe", "frame"),
  "build/documents/declared": forDocuments("describe", "frame"),
  "build/documents/search": forDocuments("describe", "programs", "frame", "reference", "tables"),
  "build/documents/(browser|[^/]+[.]ts)": [...forDocuments(), "build/documents"],
  "build/explain": ["src"],
  "build/history": ["src", ...catalog, ...["pages", "published", "routing"].map((room) => `build/${room}`)],
  "build/hosts": ["src", "build/routing"],
  "build/output": ["build/routing/publication.ts"],
  "build/package": ["build/cli"],
  "build/pages": ["src", ...catalog, "build/routing"],
  "build/plan": [
    "src",
    ...catalog,
    ...[
      "budget/budget.ts",
      "budget/room.ts",
      "content/content.ts",
      "content/settings/deployments.ts",
      "documents",
      "history",
      "hosts",
      "pages",
      "routing",
    ].map((room) => `build/${room}`),
  ],
  "build/published": ["src", "build/routing"],
  "build/publish": ["build/hosts", "build/output/location.ts", "build/published", "build/routing"],
  "build/routing": ["src"],
  "build/files": ["src"],
  "build/text": ["src"],
  "build/values": ["src"],
  "build/verify": ["src/model/fields.ts", "build/hosts", "build/published", "build/routing"],
  "(bench|docs|test)": ["src", "build", "bench", "docs", "test"],
};

/** What every room of the compiler may import: files of the checkout and of the output, words, and values. */
const forEveryone = ["build/files", "build/text", "build/values"];

/** Functions from data to data, apart from the files named: they use no module of Node's. */
const pure = ["src", ...["budget", "content", "documents", "hosts", "pages", "routing"].map((room) => `build/${room}`)];
const usesNode = ["build/content/files.ts"];

const inside = (places) => `^(${places.join("|")})(/|$)`;
const mayImport = (from, to) => ({ from: { path: from }, to: { path: to } });

export default {
  forbidden: [
    { name: "no-circles", severity: "error", from: {}, to: { circular: true } },
    {
      name: "pure-rooms-know-no-machine",
      severity: "error",
      from: { path: inside(pure), pathNot: usesNode },
      to: { dependencyTypes: ["core"] },
    },
  ],
  allowed: [
    ...Object.entries(rooms).map(([room, others]) =>
      mayImport(inside([room]), inside([room, ...forEveryone, ...others, "build/[^/]+[.](ts|mjs)", "package.json"])),
    ),
    mayImport("^build/[^/]+$", "^(src|build)/|^package.json$"),
    mayImport("^src/index[.]ts$", "^src/(answers|declare|model)/"),
    // Consumers get no part of the functions with which an API is declared.
    mayImport("^src/answers/", "^src/(answers|model)/|node_modules/zod/"),
    mayImport("^src/(declare|model)/", "^src/(answers|declare|model)/|node_modules/zod/"),
    // An API like any other: it has nothing but what every declaration can import.
    mayImport("^src/edge-network/", "^src/(edge-network/|index[.]ts$|declare/forms[.]ts$)|node_modules/zod/"),
    mayImport("^api[.]config[.]ts$", "^src/edge-network/index[.]ts$"),
    mayImport("^(build|test|bench|docs)/", "node_modules/|^(tsx|csv-parse|mime)/"),
    { from: { path: "^(build|test|bench|docs)/" }, to: { dependencyTypes: ["core"] } },
  ],
  allowedSeverity: "error",
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    doNotFollow: { path: "node_modules" },
    exclude: { path: ["[.]test[.]ts$", "^bench/peers/"] },
  },
};
