// Makes one script of the program. tsx takes each module in turn through a thread of its own, and there are hundreds,
// zod's and yaml's included: that took longer than building a small API.
import { bundle } from "./bundle.ts";
import { at, keepMap, type Program } from "./kept.mjs";

/** Rejects with esbuild's report. */
export async function make(): Promise<Program> {
  const { map, ...program } = await bundle(at(""));
  keepMap(map);
  return program;
}
