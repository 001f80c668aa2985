// Files that the program delivers as they are: shell scripts and stylesheets, which their own tools can read and check.
// The package holds them at the same place beside its script.
import { readFileSync } from "node:fs";
import { modulesFolder } from "./checkout.ts";

/** The text of a file of the program, by its path from build/, such as `documents/style.css`. */
export const asset = (file: string): string => readFileSync(new URL(file, modulesFolder), "utf8");
