// Files that the program delivers unchanged: shell scripts, stylesheets and a script for browsers, in their native
// format so that shellcheck and Biome check them. The package holds them at the same path beside its script.
import { readFileSync } from "node:fs";
import { modulesFolder } from "./checkout.ts";

/** The text of a file of the program, by its path from build/, such as `documents/style.css`. */
export const asset = (file: string): string => readFileSync(new URL(file, modulesFolder), "utf8");
