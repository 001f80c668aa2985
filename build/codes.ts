// The codes of messages. They are permanent: programs look them up, count them and silence them. docs/faults.md lists them
// from here.

export type Severity = "error" | "warning";

interface Meaning {
  /** What the message is about, which is where docs/faults.md lists it. */
  readonly about: "content" | "declaration" | "build";
  readonly severity: Severity;
  /** What is wrong, as a clause. */
  readonly means: string;
}

const error =
  (about: Meaning["about"]) =>
  (means: string): Meaning => ({ about, severity: "error", means });

const warning = (means: string): Meaning => ({ about: "build", severity: "warning", means });

const inContent = error("content");
const inDeclaration = error("declaration");
const ofBuild = error("build");

/** In the order of docs/faults.md. */
export const codes = {
  "unknown-file": inContent("no collection, deployment or setting has a file of this name"),
  "unread-file": {
    about: "content",
    severity: "warning",
    means: "no collection reads a file, or several, and they are not data files",
  },
  "idle-glob": {
    about: "content",
    severity: "warning",
    means: "a glob of `ignore` in `api.yaml` matches no file",
  },
  "ambiguous-file": inContent("a file matches the files of several collections"),
  "no-file": inContent(
    "the entry is a link, is neither a file nor a folder, or has a name with a control character or one that is not UTF-8",
  ),
  "too-large": inContent("the file is larger than 512 MB"),
  unreadable: inContent("the file cannot be read"),
  "invalid-utf8": inContent("the file is not UTF-8, or not in the encoding that the declaration names"),
  "empty-file": inContent("the file has no items; an empty list is `[]`"),
  syntax: inContent("the file is not valid YAML, JSON, NDJSON, CSV, TOML or Markdown with front matter"),
  "no-items": inContent("the path in `items` does not lead to a list or an object"),
  "too-deep": inContent("lists and objects are nested too deeply"),
  "yaml-only": inContent(
    "the file uses what YAML has and JSON does not: tags, other versions, or aliases that expand to too many values",
  ),
  "duplicate-key": inContent("an object has the same key twice"),
  "not-one": inContent("the file has several items instead of one"),
  "unknown-field": inContent("an item has a field that its schema does not have"),
  "missing-field": inContent("an item lacks a field"),
  "wrong-type": inContent("the type of a value is not the one that its schema expects"),
  "wrong-value": inContent(
    "a schema does not accept a value or the key of a record, or a value cannot be part of a path",
  ),
  "not-unique": inContent("two items have the same key or alias, or two files or values of a filter the same path"),
  "no-such-item": inContent("a reference names an item that does not exist"),
  "missing-item": {
    about: "content",
    severity: "warning",
    means: 'a reference with `missing: "warn"` names an item that does not exist',
  },
  "repeated-alias": {
    about: "content",
    severity: "warning",
    means: 'several items claim an alias of a collection with `repeated: "warn"`',
  },
  "altered-number": {
    about: "content",
    severity: "warning",
    means: "a number of YAML or CSV is not published as it is written, such as 3.10, 012 and 0x1F",
  },
  "no-slug": {
    about: "content",
    severity: "warning",
    means:
      "a filter or an alias with `slug: true` has nothing for a text, which has letters or digits but no Latin ones",
  },
  "photo-position": {
    about: "content",
    severity: "warning",
    means: "the EXIF data of a published photo contain its position",
  },
  "wrong-collection": inContent("the path of a file and its item contradict each other"),
  "no-such-file": inContent("`api.yaml` or an item names a file that does not exist"),
  "wrong-file": inContent("an item names a file that its field does not accept, or a damaged picture"),
  "not-made": inContent("`transform`, `from`, a check of the schema or the function of a filter fails for this item"),
  "does-not-compile": inDeclaration("`api.config.ts`, or a module that it imports, does not compile or does not exist"),
  throws: inDeclaration("the declaration throws, or its `load` or `render` does"),
  "no-declaration": inDeclaration("there is no default export, or it is neither an API nor a list of APIs"),
  "empty-api": inDeclaration("the API has no collections and no documents"),
  "unknown-option": inDeclaration("an option that `defineApi`, `defineCollection` or `defineDocument` does not have"),
  "missing-option": inDeclaration("an option that is not optional is missing"),
  "wrong-option": inDeclaration("the value of an option is not accepted"),
  "invalid-name": inDeclaration(
    "the name of a collection, document, parameter, vocabulary or page, or the path of an output, is not valid or is reserved",
  ),
  "duplicate-name": inDeclaration(
    "two names differ only in hyphens and underscores, two outputs have the same path, or two APIs the same base or one below the other's",
  ),
  "unsupported-schema": inDeclaration(
    "a schema is not a zod schema, or not that of an object, or it changes values, accepts values that JSON does not have, or has limits of JSON Schema that cannot be checked",
  ),
  "no-such-name": inDeclaration(
    "an option names a field, parameter or collection that does not exist, or `api.yaml` a deployment",
  ),
  "unsuitable-field": inDeclaration("an option names a field that it cannot use, such as a list as the key"),
  "too-many": inDeclaration("a collection has more than six filters, or more than six further orders"),
  "differing-words": inDeclaration("a vocabulary has two forms"),
  circular: inDeclaration("the key of a collection depends on itself, or its items are made from themselves"),
  "hosts-conflict": ofBuild("`hosts` of `api.yaml` names two hosts that cannot publish the same folder"),
  "mount-with-rules": ofBuild("a host with rules can only publish at the root of an origin"),
  "over-budget": ofBuild("the API exceeds a limit of a host"),
  "previous-lost": ofBuild("the previous build that `--previous` names cannot be read"),
  "empty-collection": warning("a collection has `files`, but no file matches them"),
  undescribed: warning("fields have no `.describe()`, so that the reference cannot explain them"),
  sunset: warning("the sunset of something that is deprecated has passed"),
  "over-plan": warning("the API exceeds a limit of one plan of a host, but fits other plans"),
  "everybody-reads": warning("`api.yaml` has `access`, and a host that only serves files gives them to everybody"),
  "dump-left-out": warning("the dump of a collection is larger than a host's limit for a file"),
  "previous-unread": warning(
    "the previous build does not exist or cannot be read, or is of another API, deployment or version, so its cursors may stop working and the list of changes may lack values",
  ),
  "nothing-forgotten": warning("`--forget` names an item that no entry of the list of changes names as changed"),
  "cursors-restart": warning(
    "the cursors of a collection, or its list of changes, restart because the declaration changed",
  ),
  "cursors-left-out": warning(
    "some pages of earlier builds are left out because they are too many, or would exceed a limit of a host",
  ),
  "editors-unwritten": warning("the schemas for editors cannot be written"),
} as const satisfies Readonly<Record<string, Meaning>>;

export type Code = keyof typeof codes;
