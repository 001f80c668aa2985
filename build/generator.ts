/** The program's name in the files that it writes, by which it recognises them. */
export const generator = "stillapi";
