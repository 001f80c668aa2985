// Evaluates the bundle of a declaration, once, with the modules that the program supplies.

import { createRequire } from "node:module";
import { setImmediate } from "node:timers/promises";
import { Script } from "node:vm";
import * as z from "zod";
import * as forms from "../../src/declare/forms.ts";
import * as api from "../../src/index.ts";
import { ownField } from "../../src/model/fields.ts";
import type { Log } from "../messages.ts";
import type { Bundle, SuppliedModule } from "./bundle.ts";
import { openPlaces, type Places } from "./places.ts";
import { thrown } from "./thrown.ts";

interface Loaded {
  /** The exports of the module; undefined if it does not compile or throws. */
  readonly exported: unknown;
  readonly places: Places;
}

const supplied: Readonly<Record<string, object>> = {
  stillapi: api,
  "stillapi/forms": forms,
  zod: z,
  "zod/v4": z,
} satisfies Record<SuppliedModule, object>;

/** `config` is an absolute path. Places are relative to `root`. */
export async function load(config: string, root: string, bundle: Bundle, log: Log): Promise<Loaded> {
  const { script, code, map, mistakes } = bundle;
  const places = openPlaces(config, script, map, root);
  for (const mistake of mistakes) log.report(mistake);
  if (mistakes.length > 0) return { exported: undefined, places };
  const { exported, errors } = await evaluated(config, script, code);
  for (const error of errors) {
    const { place, text } = thrown(error, places, "This fails");
    log.report({ code: "throws", at: place, text });
  }
  placeLateErrors(places);
  return { exported, places };
}

/** Adds the place to an error that the declaration throws later, such as in a timer. It ends the program. */
function placeLateErrors(places: Places): void {
  process.off("uncaughtExceptionMonitor", addPlace);
  addPlace = (error) => {
    const place = places.find({ of: { site: error } });
    if (place !== undefined) error.stack = `${place.file}:${place.line}:${place.column} ${error.stack}`;
  };
  process.on("uncaughtExceptionMonitor", addPlace);
}

/** That of the declaration that was loaded last: `dev` loads it again after each change. */
let addPlace = (_: Error): void => undefined;

/** The exports of the bundle, and the errors of the declaration. */
async function evaluated(config: string, script: string, code: string) {
  const requireInstalled = createRequire(config);
  const module: { exports: unknown } = { exports: {} };
  const errors: unknown[] = [];
  const reject = (error: unknown) => void errors.push(error);
  process.on("unhandledRejection", reject);
  try {
    const run = new Script(`(require, module, exports) => {\n${code}\n}`, { filename: script, lineOffset: -1 });
    run.runInThisContext()(
      (name: string) => ownField(supplied, name) ?? requireInstalled(name),
      module,
      module.exports,
    );
  } catch (error) {
    errors.push(error);
  }
  // Node reports a rejection after the promises that are settled by then.
  await setImmediate();
  process.off("unhandledRejection", reject);
  const { exports: exported } = module;
  return { exported, errors };
}
