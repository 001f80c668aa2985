#!/usr/bin/env node
// The command line of the published package.
import { fileURLToPath } from "node:url";
import { modulesFolder } from "../files/checkout.ts";
import { runCompiled } from "./compiled.ts";
import { endWithInternalError, stackOf } from "./internal-error.ts";

process.once("uncaughtException", (error) => endWithInternalError(stackOf(error)));

const program = fileURLToPath(new URL("program.cjs", modulesFolder));
runCompiled(program, process.argv.slice(2)).then((exitCode) => {
  process.exitCode = exitCode;
});
