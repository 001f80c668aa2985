/** What the program's script is: a function that loads it. `moduleUrl` tells where it finds its other files. */
export type Load = (require: NodeJS.Require, moduleUrl: string, module: object) => typeof import("../cli/main.ts");
