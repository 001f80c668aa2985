#!/usr/bin/env node
// The command line of the published package, where all modules are one script with chunks for what only some commands
// need. Node keeps what V8 compiles of it, from 22.1 on.
import { lstatSync, readdirSync } from "node:fs";
import module from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { cacheFolder, modulesFolder } from "../checkout.ts";

// https://nodejs.org/api/module.html#moduleenablecompilecacheoptions
if ("enableCompileCache" in module && typeof module.enableCompileCache === "function") {
  module.enableCompileCache(path.join(cacheFolder, "compiled"));
}

process.once("uncaughtException", async (error) => {
  const { endWithInternalError, stackOf } = await import("./internal-error.ts");
  endWithInternalError(stackOf(error));
});

const { main } = await import("../commands/main.ts");
process.exitCode = await main(process.argv.slice(2), program());

/** Tells these modules from those of another version, and from the same ones that somebody has changed. */
function program(): string {
  const folder = fileURLToPath(modulesFolder);
  const states = readdirSync(folder).map((name) => {
    const { size, ino, ctimeMs } = lstatSync(path.join(folder, name));
    return [name, size, ino, ctimeMs];
  });
  return JSON.stringify(states);
}
