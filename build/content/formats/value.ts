// The values of files, and where they are written. Reports derive the place of each part of a value from the place of the
// value, also if a function made the value.
import { fieldOf } from "../../../src/model/fields.ts";
import type { Dialect, FileRule } from "../../../src/model/files.ts";
import type { Part, Path, Source, Spot } from "../../messages.ts";

/** A file that holds data. It is relative to the content folder, with slashes. */
export interface ContentSource extends Source {
  /** Below the folder to which the globs of its rule are relative. */
  readonly path: string;
  readonly dialect: Dialect;
  /** The rule by which its collection has it, if there is one. */
  readonly rule: FileRule | undefined;
  /** The texts of the fields that the path of the file supplies. */
  readonly fields: Readonly<Record<string, string>>;
  /** Whether it has several documents of YAML. The index of its document is the first step of the path of a value. */
  readonly hasDocuments?: true;
}

/** A value of a file, or of `load`. */
export interface Value {
  /** Undefined if the value cannot be read, which is reported. */
  readonly data: unknown;
  readonly at: At;
  /** Whether it is the header of a table without rows: an empty cell for each column. */
  readonly isHeader?: true;
  /** The text of the value, if it is known to be what JSON.stringify returns. */
  readonly json?: string | undefined;
}

/** What a function of the declaration made of the value at a place. */
export interface Made {
  /**
   * The value at the place. The fields that the function kept are written there. Undefined if the function made the value
   * from an item, so that nothing of it is written there.
   */
  readonly raw?: unknown;
  readonly data?: unknown;
}

/**
 * The place of a value, from which reports derive the places of its parts. For the third item of the list in `nodes.yaml`,
 * `source` is that file and `path` is `[2]`; `spot(["name"])` is the place of its name, at the path `[2, "name"]`.
 */
export class At {
  readonly source: ContentSource;
  /**
   * The place in the source: empty for its only value, else the index in its list or the number of its line, from 0, and in
   * front of it the names of the members that lead to the list. Of several documents, the index of one is in front of all.
   */
  readonly path: Path;
  /** Undefined if the value is written at the place. */
  readonly made: Made | undefined;
  /** Names the value if its place does not: `release "nodejs/20"`. */
  readonly name: (() => string | undefined) | undefined;

  constructor(source: ContentSource, path: Path, made?: Made, name?: () => string | undefined) {
    this.source = source;
    this.path = path;
    this.made = made;
    this.name = name;
  }

  /** Whether a function made the value from an item. */
  get isFromItem(): boolean {
    return this.made !== undefined && this.made.raw === undefined;
  }

  /** The index or the name of the value among those of its source or document. Undefined for the only value. */
  get step(): Path[number] | undefined {
    return this.path[this.#depth];
  }

  /** The place in the source: the index, or the path of a value without one. Undefined for the only value. */
  get place(): number | Path | undefined {
    const { step, path, source } = this;
    const isInner = path.length > this.#depth + 1;
    return isInner || typeof step === "string" || source.hasDocuments ? path : step;
  }

  get #depth(): number {
    const { dialect, hasDocuments } = this.source;
    return (dialect.items?.names.length ?? 0) + (hasDocuments ? 1 : 0);
  }

  /** The folder below content/, or below the folder of the rule, to which paths in the value are relative. */
  get folder(): string {
    const { path } = this.source;
    return path.slice(0, path.lastIndexOf("/") + 1);
  }

  /** The place of a part of the value. */
  spot(path: Path = [], part?: Part): Spot {
    const at = { source: this.source, name: this.name?.(), ...(part !== undefined && { part }) };
    return this.#isWritten(path) ? { ...at, path: [...this.path, ...path] } : { ...at, path: this.path, made: true };
  }

  /** The place of the field from which a function probably made a part, because it has the part's name; else of the value. */
  nearest([field]: Path): Spot {
    const hasField = field !== undefined && fieldOf(this.made?.raw, field) !== undefined;
    return hasField ? this.inside([field], this.name).spot() : this.spot();
  }

  /** The place of a part of what is written there, as a value of its own. */
  inside(path: Path, name?: At["name"]): At {
    return new At(this.source, [...this.path, ...path], undefined, name);
  }

  /** The place of a value that a function makes from this one: that of the key of this one. */
  fromItem(key: string, name?: At["name"]): At {
    const path = this.#isWritten([key]) ? [...this.path, key] : this.path;
    return new At(this.source, path, {}, name);
  }

  #isWritten([field]: Path): boolean {
    if (this.made === undefined) return true;
    const { raw, data } = this.made;
    return raw !== undefined && (field === undefined || isKept(raw, data, field));
  }
}

/** Whether a function left a field as it was. */
const isKept = (raw: unknown, data: unknown, field: string | number): boolean =>
  Object.hasOwn(Object(raw), field) && JSON.stringify(fieldOf(raw, field)) === JSON.stringify(fieldOf(data, field));
