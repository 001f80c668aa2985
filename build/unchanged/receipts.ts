// What a build was made of, what it left and what it told, so that the next one need not find out again that nothing has
// changed. It is a cache, never authoritative: where anything is not as the receipt has it, there is a build.
import { existsSync } from "node:fs";
import path from "node:path";
import type { Built } from "../build-plan.ts";
import { openCache } from "../cache/cache.ts";
import { discover } from "../content/discover.ts";
import type { Schemas } from "../editors/write.ts";
import { textFile } from "../file.ts";
import { type Hashes, hashesOf, holds, holdsJust, isAsLeft } from "../output/as-left.ts";
import { besideFolder } from "../output/publication.ts";
import { inputsOf } from "./inputs.ts";

/** What a build is asked for, apart from the time. */
export interface Request {
  /** What tells this program from every other one, such as another version of it. */
  readonly program: string;
  readonly content: string;
  readonly out: string;
  /** All that else decides what is built. */
  readonly options: object;
}

/** All that a build found and left. Hashes are of what it wrote itself. As JSON. */
interface Receipt<Told> {
  /** A hash of the content. */
  readonly inputs: string;
  /** That of the manifest of the out folder. */
  readonly time: number;
  /** A period, without its infinite ends. */
  readonly same: { readonly from?: number; readonly until?: number };
  /** Of the folder beside the out folder; undefined where there is none. */
  readonly beside?: Hashes;
  readonly schemas: { readonly folder: string; readonly hashes: Hashes };
  readonly told: Told;
}

export interface Receipts<Told> {
  /** What the last build of this request told, where one at this time, in seconds since 1970, would change nothing. */
  recall(now: number): Promise<Told | undefined>;
  /** `inputs` is a hash of the content, `told` what the next build tells if it changes nothing. */
  keep(built: Built, inputs: string, schemas: Schemas, told: Told): void;
}

/** `cache` is the folder that holds receipts and manifests. */
export function openReceipts<Told>(cache: string, { program, content, out, options }: Request): Receipts<Told> {
  const kept = openCache(path.join(cache, "receipts"), `receipt 1, node ${process.version}, ${program}`);
  const name = Buffer.from(JSON.stringify([path.resolve(content), path.resolve(out), options]));
  return {
    async recall(now) {
      const bytes = kept.recall(name);
      if (bytes === undefined) return undefined;
      const { inputs, time, same, beside, schemas, told }: Receipt<Told> = JSON.parse(Buffer.from(bytes).toString());
      const { from = now, until = Number.POSITIVE_INFINITY } = same;
      if (now < from || now >= until) return undefined;
      if (!holds(schemas.folder, schemas.hashes) || !holdsJust(besideFolder(out), beside)) return undefined;
      if (inputsOf(await discover(content)) !== inputs) return undefined;
      return (await isAsLeft(out, path.join(cache, "manifests"), time)) ? told : undefined;
    },
    keep({ plan, time }, inputs, schemas, told) {
      if (time === undefined) return;
      const receipt: Receipt<Told> = {
        inputs,
        time,
        same: Object.fromEntries(Object.entries(plan.same).filter(([, each]) => Number.isFinite(each))),
        ...(existsSync(besideFolder(out)) && { beside: hashesOf([plan.marker, ...plan.beside]) }),
        schemas: {
          folder: schemas.folder,
          hashes: hashesOf(schemas.files.map(({ file, text }) => textFile(file, text))),
        },
        told,
      };
      kept.keep(name, Buffer.from(JSON.stringify(receipt)));
    },
  };
}
