/** The program's script: a function that loads it. The program finds its other files relative to `moduleUrl`. */
export type Load = (require: NodeJS.Require, moduleUrl: string, module: object) => typeof import("../cli/main.ts");
