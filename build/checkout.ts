/** The folder of the program's own modules: what it finds there it finds by this, being one script when it runs. */
export const modulesFolder = new URL(".", import.meta.url);
